<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="tr" sourcelanguage="en">
<context>
    <name>ActSentences</name>
    <message>
        <source>You are there; a summary of what you left and its label are new entries. Back returns.</source>
        <translation>Oradasınız; ayrıldığınız dalın özeti ve etiketi yeni birer kayıt. Geri ile dönersiniz.</translation>
    </message>
    <message>
        <source>You are there; a summary of what you left is a new entry. Back returns.</source>
        <translation>Oradasınız; ayrıldığınız dalın özeti yeni bir kayıt oldu. Geri ile dönersiniz.</translation>
    </message>
    <message>
        <source>You are there, and Back returns. There was nothing to summarise; the label was written.</source>
        <translation>Oradasınız, Geri ile dönersiniz. Özetlenecek bir şey yoktu; etiket yazıldı.</translation>
    </message>
    <message>
        <source>You are there, and Back returns. There was nothing to summarise.</source>
        <translation>Oradasınız, Geri ile dönersiniz. Özetlenecek bir şey yoktu.</translation>
    </message>
    <message>
        <source>You are there, and Back returns. Only the label was written; with it, an agent would resume here.</source>
        <translation>Oradasınız, Geri ile dönersiniz. Yalnızca etiket yazıldı; onunla bir ajan buradan sürdürür.</translation>
    </message>
    <message>
        <source>You are there, and Back returns. It is the end of the file, where an agent would resume.</source>
        <translation>Oradasınız, Geri ile dönersiniz. Burası dosyanın sonu; bir ajan da buradan sürdürür.</translation>
    </message>
    <message>
        <source>You are there, and Back returns. Nothing was written: an agent would still resume at the end of the file.</source>
        <translation>Oradasınız, Geri ile dönersiniz. Hiçbir şey yazılmadı: bir ajan yine dosyanın sonundan sürdürür.</translation>
    </message>
    <message>
        <source>You are there; nothing was written. Back returns; {0} asks first.</source>
        <translation>Oradasınız; hiçbir şey yazılmadı. Geri ile dönersiniz; {0} önce sorar.</translation>
    </message>
    <message>
        <source>You are there; a summary of what you left is a new entry. Back returns; {0} asks first.</source>
        <translation>Oradasınız; ayrıldığınız dalın özeti yeni bir kayıt oldu. Geri ile dönersiniz; {0} önce sorar.</translation>
    </message>
    <message>
        <source>From now on you just go; {0} asks first.</source>
        <translation>Bundan sonra yalnızca gidilir; {0} önce sorar.</translation>
    </message>
    <message>
        <source>From now on what you leave is summarised; {0} asks first.</source>
        <translation>Bundan sonra ayrıldığınız dal özetlenir; {0} önce sorar.</translation>
    </message>
    <message>
        <source>The label is “{0}” now; before, it was “{1}”.</source>
        <translation>Etiket şimdi “{0}”; önceden “{1}” idi.</translation>
    </message>
    <message>
        <source>Labelled “{0}”. An empty label removes it again.</source>
        <translation>“{0}” olarak etiketlendi. Boş etiket onu yeniden kaldırır.</translation>
    </message>
    <message>
        <source>The label “{0}” is gone; label the entry again to have it back.</source>
        <translation>“{0}” etiketi kaldırıldı; geri almak için kaydı yeniden etiketleyin.</translation>
    </message>
    <message>
        <source>The session is called “{0}” now; before, it was “{1}”.</source>
        <translation>Oturumun adı şimdi “{0}”; önceden “{1}” idi.</translation>
    </message>
    <message>
        <source>The session is called “{0}” now. An empty name takes it away again.</source>
        <translation>Oturumun adı şimdi “{0}”. Boş bir ad onu yeniden kaldırır.</translation>
    </message>
    <message>
        <source>The name “{0}” was taken away; give it again to have it back.</source>
        <translation>“{0}” adı kaldırıldı; geri almak için yeniden verin.</translation>
    </message>
    <message>
        <source>Nothing changed.</source>
        <translation>Hiçbir şey değişmedi.</translation>
    </message>
</context>
<context>
    <name>AllSettingsPage</name>
    <message>
        <source>All settings</source>
        <translation>Tüm ayarlar</translation>
    </message>
    <message>
        <source>What is in force, and where it comes from. Enter on a line goes to its field.</source>
        <translation>Geçerli olan değerler ve nereden geldikleri. Bir satırda Enter, ilgili alana götürür.</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Anahtar</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Değer</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Kaynak</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Dosya</translation>
    </message>
    <message>
        <source>Stop trusting it</source>
        <translation>Güvenmeyi bırak</translation>
    </message>
    <message>
        <source>You trust the project {0}.</source>
        <translation>{0} projesine güveniyorsunuz.</translation>
    </message>
    <message>
        <source>{0} (automatic)</source>
        <translation>{0} (otomatik)</translation>
    </message>
</context>
<context>
    <name>Assistance</name>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>A&amp;yarlar…</translation>
    </message>
    <message>
        <source>&amp;Command palette…</source>
        <translation>&amp;Komut paleti…</translation>
    </message>
    <message>
        <source>&amp;Help and keys</source>
        <translation>Yar&amp;dım ve tuşlar</translation>
    </message>
    <message>
        <source>Change &amp;shortcuts…</source>
        <translation>Kısayolları değiş&amp;tir…</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message>
        <source>Image of the message</source>
        <translation>İletinin görseli</translation>
    </message>
    <message>
        <source>1 image of the message can&apos;t be sent again</source>
        <translation>İletinin 1 görseli yeniden gönderilemez</translation>
    </message>
    <message>
        <source>{0} images of the message can&apos;t be sent again</source>
        <translation>İletinin {0} görseli yeniden gönderilemez</translation>
    </message>
    <message>
        <source>Attach images</source>
        <translation>Görsel ekle</translation>
    </message>
    <message>
        <source>Images (*.png *.jpg *.jpeg *.gif *.webp)</source>
        <translation>Görseller (*.png *.jpg *.jpeg *.gif *.webp)</translation>
    </message>
    <message>
        <source>Pasted image</source>
        <translation>Yapıştırılan görsel</translation>
    </message>
    <message>
        <source>An image is still being read; try again in a moment.</source>
        <translation>Bir görsel hâlâ okunuyor; birazdan yeniden deneyin.</translation>
    </message>
    <message>
        <source>A prompt takes up to {0} images.</source>
        <translation>Bir istem en çok {0} görsel alır.</translation>
    </message>
    <message>
        <source>Do not send this image</source>
        <translation>Bu görseli gönderme</translation>
    </message>
    <message>
        <source>Remove the image {0}</source>
        <translation>{0} görselini kaldır</translation>
    </message>
    <message>
        <source>{0} can&apos;t be read: {1}.</source>
        <translation>{0} okunamıyor: {1}.</translation>
    </message>
    <message>
        <source>{0} is larger than {1} MB, which models don&apos;t take.</source>
        <translation>{0}, {1} MB’tan büyük; modeller bunu kabul etmez.</translation>
    </message>
    <message>
        <source>{0} is no PNG, JPEG, GIF or WebP image.</source>
        <translation>{0} bir PNG, JPEG, GIF ya da WebP görseli değil.</translation>
    </message>
    <message>
        <source>The pasted image can&apos;t be read.</source>
        <translation>Yapıştırılan görsel okunamıyor.</translation>
    </message>
    <message>
        <source>The pasted image is larger than {0} MB, which models don&apos;t take.</source>
        <translation>Yapıştırılan görsel {0} MB’tan büyük; modeller bunu kabul etmez.</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Progress</source>
        <translation>İlerleme</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>Göster</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Kapat</translation>
    </message>
</context>
<context>
    <name>BranchListDialog</name>
    <message>
        <source>Branches</source>
        <translation>Dallar</translation>
    </message>
    <message>
        <source>Branches of this session</source>
        <translation>Bu oturumun dalları</translation>
    </message>
    <message>
        <source>Go to it</source>
        <translation>Oraya git</translation>
    </message>
    <message>
        <source>1 branch</source>
        <translation>1 dal</translation>
    </message>
    <message>
        <source>{0} branches</source>
        <translation>{0} dal</translation>
    </message>
    <message>
        <source>1 more is hidden by the filter</source>
        <translation>1 dal daha süzgeçle gizli</translation>
    </message>
    <message>
        <source>{0} more are hidden by the filter</source>
        <translation>{0} dal daha süzgeçle gizli</translation>
    </message>
</context>
<context>
    <name>BranchListModel</name>
    <message>
        <source>First prompt</source>
        <translation>İlk istem</translation>
    </message>
    <message>
        <source>Entries</source>
        <translation>Kayıtlar</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Last activity</source>
        <translation>Son etkinlik</translation>
    </message>
    <message>
        <source>Where you are</source>
        <translation>Bulunduğunuz yer</translation>
    </message>
    <message>
        <source>active</source>
        <translation>etkin</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Komut paleti</translation>
    </message>
    <message>
        <source>Type a few letters of a command</source>
        <translation>Bir komutun birkaç harfini yazın</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Komut</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Komutlar</translation>
    </message>
    <message>
        <source>No command has these letters.</source>
        <translation>Bu harfleri içeren komut yok.</translation>
    </message>
    <message>
        <source>not possible now</source>
        <translation>şu anda yapılamaz</translation>
    </message>
</context>
<context>
    <name>CompactionControl</name>
    <message>
        <source>The cut stays on the path to the leaf.</source>
        <translation>Kesim, uca giden yolda kalır.</translation>
    </message>
    <message>
        <source>What lies there is already summarised.</source>
        <translation>Orada duranlar zaten özetlenmiş.</translation>
    </message>
    <message>
        <source>A cut there would leave nothing to summarise.</source>
        <translation>Buradan kesilirse özetlenecek bir şey kalmaz.</translation>
    </message>
    <message>
        <source>What lies before is already summarised: the cut moved to the next place.</source>
        <translation>Öncesi zaten özetlenmiş: kesim bir sonraki yere taşındı.</translation>
    </message>
    <message>
        <source>A tool result stays with its call: the cut moved further.</source>
        <translation>Araç sonucu, çağrısının yanında kalır: kesim ileri taşındı.</translation>
    </message>
    <message>
        <source>Settings and labels go with the message behind them: the cut moved there.</source>
        <translation>Ayarlar ve etiketler, arkalarından gelen iletiye bağlıdır: kesim oraya taşındı.</translation>
    </message>
    <message>
        <source>Keeps {0} tokens.</source>
        <translation>{0} token korunur.</translation>
    </message>
    <message>
        <source>Compacting</source>
        <translation>Sıkıştırılıyor</translation>
    </message>
    <message>
        <source>This branch is already compacted</source>
        <translation>Bu dal zaten sıkıştırılmış</translation>
    </message>
    <message>
        <source>Its last entry is a compaction. Continue the session, or go to another branch first.</source>
        <translation>Son kaydı bir sıkıştırma. Oturumu sürdürün ya da önce başka bir dala gidin.</translation>
    </message>
    <message>
        <source>The cut could not be worked out</source>
        <translation>Kesim yeri hesaplanamadı</translation>
    </message>
    <message>
        <source>This cut splits a turn. The turn is larger than what is kept; its first message gets a summary of its own.</source>
        <translation>Bu kesim bir turu böler. Tur, korunandan büyük; ilk iletisi ayrıca özetlenir.</translation>
    </message>
    <message>
        <source>This cut splits a turn. The turn is larger than what is kept; its first {0} messages get a summary of their own.</source>
        <translation>Bu kesim bir turu böler. Tur, korunacak olandan büyük; ilk {0} iletisi için ayrı bir özet yazılır.</translation>
    </message>
    <message>
        <source>1 message ({0} tokens) that the last compaction kept would leave the context without being summarised. That is how OMP does it; the setting compaction.boundary = sinceKept includes it.</source>
        <translation>Son sıkıştırmanın koruduğu 1 ileti ({0} token) özetlenmeden bağlamdan çıkar. OMP böyle yapar; compaction.boundary = sinceKept ayarı bunu da kapsar.</translation>
    </message>
    <message>
        <source>{0} messages ({1} tokens) that the last compaction kept would leave the context without being summarised. That is how OMP does it; the setting compaction.boundary = sinceKept includes them.</source>
        <translation>Son sıkıştırmanın koruduğu {0} ileti ({1} token) özetlenmeden bağlamdan çıkar. OMP böyle yapar; compaction.boundary = sinceKept ayarı bunları da kapsar.</translation>
    </message>
    <message>
        <source>{0} itself would find nothing to compact here.</source>
        <translation>{0} burada sıkıştıracak bir şey bulmazdı.</translation>
    </message>
    <message>
        <source>{0} itself would cut here too.</source>
        <translation>{0} da buradan keserdi.</translation>
    </message>
    <message>
        <source>{0} itself would keep from entry {1} on: {2} tokens.</source>
        <translation>{0} olsa {1} kaydından sonrasını korurdu: {2} token.</translation>
    </message>
</context>
<context>
    <name>CompactionTab</name>
    <message>
        <source>Tokens to keep</source>
        <translation>Korunacak token</translation>
    </message>
    <message>
        <source>Keep the last</source>
        <translation>Korunacak son bölüm</translation>
    </message>
    <message>
        <source>Becomes the history summary</source>
        <translation>Geçmiş özeti olacak</translation>
    </message>
    <message>
        <source>Becomes the turn prefix summary</source>
        <translation>Tur başı özeti olacak</translation>
    </message>
    <message>
        <source>Kept word for word</source>
        <translation>Sözcüğü sözcüğüne korunur</translation>
    </message>
    <message>
        <source>Summary written by</source>
        <translation>Özeti yazan</translation>
    </message>
    <message>
        <source>What the summary should pay attention to (optional)</source>
        <translation>Özetin neye dikkat edeceği (isteğe bağlı)</translation>
    </message>
    <message>
        <source>Instructions for the summary</source>
        <translation>Özet için yönergeler</translation>
    </message>
    <message>
        <source>&amp;Read it before it is saved</source>
        <translation>Kaydedilmeden önce &amp;oku</translation>
    </message>
    <message>
        <source>Prompt of</source>
        <translation>Şunun istemi</translation>
    </message>
    <message>
        <source>PROMPT</source>
        <translation>İSTEM</translation>
    </message>
    <message>
        <source>PROMPT FOR A MODEL</source>
        <translation>BİR MODEL İÇİN İSTEM</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>Sıkıştır</translation>
    </message>
    <message>
        <source>Imagine the leaf at the &amp;selection</source>
        <translation>Ucu &amp;seçili kayıtta varsay</translation>
    </message>
    <message>
        <source>Copy prompts</source>
        <translation>İstemleri kopyala</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Nothing to compact</source>
        <translation>Sıkıştıracak bir şey yok</translation>
    </message>
    <message>
        <source>Open a session first.</source>
        <translation>Önce bir oturum açın.</translation>
    </message>
    <message>
        <source>What a compaction would do at {0}</source>
        <translation>{0} kaydında sıkıştırılsa ne olurdu</translation>
    </message>
    <message>
        <source>What a compaction would do now</source>
        <translation>Şimdi sıkıştırılırsa ne olur</translation>
    </message>
    <message>
        <source>The leaf is somewhere else. To compact here, go to this entry first.</source>
        <translation>Uç başka bir yerde. Burada sıkıştırmak için önce bu kayda gidin.</translation>
    </message>
    <message>
        <source>Old history becomes a summary; nothing is deleted from the file.</source>
        <translation>Eski geçmiş özete dönüşür; dosyadan hiçbir şey silinmez.</translation>
    </message>
    <message>
        <source>Both by the agents&apos; estimate, which decides the cut.</source>
        <translation>İkisi de kesimi belirleyen ajan tahminiyle.</translation>
    </message>
    <message>
        <source>After: {0} kept, {1} of the system prompt, {2} of the summary.</source>
        <translation>Sonrası: {0} korunan, {1} sistem istemi, {2} özet.</translation>
    </message>
    <message>
        <source>Recorded usage</source>
        <translation>Kayıtlı kullanım</translation>
    </message>
    <message>
        <source>nothing recorded yet</source>
        <translation>henüz kayıtlı bir şey yok</translation>
    </message>
    <message>
        <source>What the provider measured for the latest answer since the last compaction or context edit; it also counts what is sent besides the messages.</source>
        <translation>Son sıkıştırmadan ya da bağlam düzenlemesinden beri gelen en son yanıt için sağlayıcının ölçtüğü; iletilerin yanında gönderilenleri de sayar.</translation>
    </message>
    <message>
        <source>The size of the digest is exact.</source>
        <translation>Derlemenin boyutu kesindir.</translation>
    </message>
    <message>
        <source>The summary is assumed to be as large as the one that it continues.</source>
        <translation>Özetin, sürdürdüğü özet kadar büyük olacağı varsayılır.</translation>
    </message>
    <message>
        <source>The summary is assumed to be as large as the offline digest would be.</source>
        <translation>Özetin, çevrimdışı derleme kadar büyük olacağı varsayılır.</translation>
    </message>
    <message>
        <source>All of it fits into what is kept. Keep fewer tokens to see a cut.</source>
        <translation>Tümü korunacak bölüme sığıyor. Kesim görmek için daha az token koruyun.</translation>
    </message>
    <message>
        <source>The preview follows the selected row, on any branch.</source>
        <translation>Önizleme, hangi dalda olursa olsun seçili satırı izler.</translation>
    </message>
    <message>
        <source>kept {0} · the cut snaps to whole messages</source>
        <translation>korunan {0} · kesim tam iletilere oturur</translation>
    </message>
    <message>
        <source>Context now → expected after</source>
        <translation>Bağlam: şimdi → sonrası (beklenen)</translation>
    </message>
</context>
<context>
    <name>CompareControl</name>
    <message>
        <source>Select an entry of another branch to compare it with the active path.</source>
        <translation>Etkin yolla karşılaştırmak için başka bir dalın kaydını seçin.</translation>
    </message>
    <message>
        <source>The selected entry is on the active path. Select one of another branch to compare them.</source>
        <translation>Seçili kayıt etkin yolda. Karşılaştırmak için başka bir dalın kaydını seçin.</translation>
    </message>
    <message>
        <source>Now select an entry of another branch to compare them.</source>
        <translation>Şimdi karşılaştırmak için başka bir dalın bir kaydını seçin.</translation>
    </message>
</context>
<context>
    <name>CompareTab</name>
    <message>
        <source>Show it</source>
        <translation>Göster</translation>
    </message>
    <message>
        <source>Show the common ancestor</source>
        <translation>Ortak atayı göster</translation>
    </message>
    <message>
        <source>Compare with the active path</source>
        <translation>Etkin yolla karşılaştır</translation>
    </message>
    <message>
        <source>Messages of the active path</source>
        <translation>Etkin yolun iletileri</translation>
    </message>
    <message>
        <source>Messages of the other branch</source>
        <translation>Öbür dalın iletileri</translation>
    </message>
    <message>
        <source>Files of both branches</source>
        <translation>İki dalın dosyaları</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Dosya</translation>
    </message>
    <message>
        <source>Active path</source>
        <translation>Etkin yol</translation>
    </message>
    <message>
        <source>Other branch</source>
        <translation>Öbür dal</translation>
    </message>
    <message>
        <source>Pinned: the branch of “{0}”</source>
        <translation>Sabitlenen: “{0}” kaydının dalı</translation>
    </message>
    <message>
        <source>Messages of the pinned branch</source>
        <translation>Sabitlenen dalın iletileri</translation>
    </message>
    <message>
        <source>Pinned branch</source>
        <translation>Sabitlenen dal</translation>
    </message>
    <message>
        <source>Compare two branches</source>
        <translation>İki dalı karşılaştır</translation>
    </message>
    <message>
        <source>Reading both branches…</source>
        <translation>İki dal okunuyor…</translation>
    </message>
    <message>
        <source>Text of the message</source>
        <translation>İletinin metni</translation>
    </message>
    <message>
        <source>Active path and other branch</source>
        <translation>Etkin yol ve öbür dal</translation>
    </message>
    <message>
        <source>Pinned branch and other branch</source>
        <translation>Sabitlenen dal ve öbür dal</translation>
    </message>
    <message>
        <source>They part after “{0}”.</source>
        <translation>“{0}” kaydından sonra ayrılıyorlar.</translation>
    </message>
    <message>
        <source>They share no entry.</source>
        <translation>Ortak kayıtları yok.</translation>
    </message>
    <message>
        <source>read</source>
        <translation>okundu</translation>
    </message>
    <message>
        <source>modified</source>
        <translation>değiştirildi</translation>
    </message>
    <message>
        <source>Entries</source>
        <translation>Kayıtlar</translation>
    </message>
    <message>
        <source>User messages</source>
        <translation>Kullanıcı iletileri</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Yanıtlar</translation>
    </message>
    <message>
        <source>Failed or aborted answers</source>
        <translation>Başarısız ya da durdurulan yanıtlar</translation>
    </message>
    <message>
        <source>Tool results</source>
        <translation>Araç sonuçları</translation>
    </message>
    <message>
        <source>Tokens (the agents&apos; estimate)</source>
        <translation>Token (ajanların tahmini)</translation>
    </message>
    <message>
        <source>Tokens used (recorded)</source>
        <translation>Kullanılan token (kaydedilen)</translation>
    </message>
    <message>
        <source>Cost (recorded)</source>
        <translation>Maliyet (kaydedilen)</translation>
    </message>
    <message>
        <source>From first to last</source>
        <translation>İlkinden sonuncusuna</translation>
    </message>
    <message>
        <source>Files only read · modified</source>
        <translation>Yalnızca okunan · değiştirilen dosyalar</translation>
    </message>
    <message>
        <source>active path</source>
        <translation>etkin yol</translation>
    </message>
    <message>
        <source>other branch</source>
        <translation>öbür dal</translation>
    </message>
    <message>
        <source>pinned branch</source>
        <translation>sabitlenen dal</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Message to the model, from the current leaf on · /compact, /tree</source>
        <translation>Geçerli uçtan başlayarak modele ileti · /compact, /tree</translation>
    </message>
    <message>
        <source>Message to the model</source>
        <translation>Modele ileti</translation>
    </message>
    <message>
        <source>Composer</source>
        <translation>İleti kutusu</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter starts a new line</source>
        <translation>Enter gönderir, Shift+Enter yeni satıra geçer</translation>
    </message>
    <message>
        <source>Attach images; pasting and dropping them works too</source>
        <translation>Görsel ekle; yapıştırmak ve sürükleyip bırakmak da olur</translation>
    </message>
    <message>
        <source>Attach images</source>
        <translation>Görsel ekle</translation>
    </message>
    <message>
        <source>Copy the text, to continue in your agent</source>
        <translation>Ajanınızda sürdürmek için metni kopyalayın</translation>
    </message>
    <message>
        <source>Copy the text</source>
        <translation>Metni kopyala</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Gönder</translation>
    </message>
    <message>
        <source>Send from the current leaf (Enter)</source>
        <translation>Geçerli uçtan gönder (Enter)</translation>
    </message>
    <message>
        <source>Put it here</source>
        <translation>Buraya koy</translation>
    </message>
    <message>
        <source>Keep what is here (Esc)</source>
        <translation>Buradakini koru (Esc)</translation>
    </message>
    <message>
        <source>Keep what is here</source>
        <translation>Buradakini koru</translation>
    </message>
    <message>
        <source>You went back to a message. What you have written here was kept.</source>
        <translation>Bir iletiye geri döndünüz. Burada yazdıklarınız korundu.</translation>
    </message>
    <message>
        <source>Something is running. Your text stays here until it is done.</source>
        <translation>Bir işlem sürüyor. Metniniz bitene kadar burada kalır.</translation>
    </message>
    <message>
        <source>An image is still being read; try again in a moment.</source>
        <translation>Bir görsel hâlâ okunuyor; birazdan yeniden deneyin.</translation>
    </message>
    <message>
        <source>There is no command {0}, so nothing was sent. Known: /compact [instructions], /tree. A blank in front makes it a message.</source>
        <translation>{0} diye bir komut yok, bu yüzden hiçbir şey gönderilmedi. Bilinenler: /compact [yönergeler], /tree. Başına konan boşluk onu iletiye çevirir.</translation>
    </message>
</context>
<context>
    <name>ConsentBox</name>
    <message>
        <source>Reach {0} without encryption: anybody on the way can read the session</source>
        <translation>{0} adresine şifresiz bağlan: yoldaki herkes oturumu okuyabilir</translation>
    </message>
    <message>
        <source>{0} may be reached without encryption.</source>
        <translation>{0} adresine şifresiz bağlanılabilir.</translation>
    </message>
    <message>
        <source>{0} needs encryption again.</source>
        <translation>{0} için yeniden şifreleme gerekiyor.</translation>
    </message>
</context>
<context>
    <name>ContextControl</name>
    <message>
        <source>counting…</source>
        <translation>sayılıyor…</translation>
    </message>
    <message>
        <source>The agent itself sends a history of the provider&apos;s here, which nobody else can read.</source>
        <translation>Ajanın kendisi burada sağlayıcının tuttuğu, başka kimsenin okuyamadığı bir geçmişi gönderir.</translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>Context: {0} of {1} tokens</source>
        <translation>Bağlam: {0} / {1} token</translation>
    </message>
</context>
<context>
    <name>ContextTab</name>
    <message>
        <source>Messages of the context</source>
        <translation>Bağlamın iletileri</translation>
    </message>
    <message>
        <source>Text of the message</source>
        <translation>İletinin metni</translation>
    </message>
    <message>
        <source>Count exactly</source>
        <translation>Tam say</translation>
    </message>
    <message>
        <source>Count the tokens of all texts with the tokenizer o200k_base, in another process</source>
        <translation>Tüm metinlerin tokenlarını o200k_base ile, ayrı bir süreçte say</translation>
    </message>
    <message>
        <source>Select a message to read it as the model gets it. Enter goes to its entry.</source>
        <translation>Bir iletiyi modele gittiği biçimiyle okumak için seçin. Enter kaydına gider.</translation>
    </message>
    <message>
        <source>No context</source>
        <translation>Bağlam yok</translation>
    </message>
    <message>
        <source>Select an entry to see what the model would be sent there.</source>
        <translation>Modele orada ne gönderileceğini görmek için bir kayıt seçin.</translation>
    </message>
    <message>
        <source>The agent would send 1 message</source>
        <translation>Ajan 1 ileti gönderirdi</translation>
    </message>
    <message>
        <source>The agent would send {0} messages</source>
        <translation>Ajan {0} ileti gönderirdi</translation>
    </message>
    <message>
        <source>Exact count</source>
        <translation>Tam sayım</translation>
    </message>
    <message>
        <source>not counted</source>
        <translation>sayılmadı</translation>
    </message>
    <message>
        <source>The texts of all messages by the tokenizer o200k_base; images are not in it.</source>
        <translation>Tüm iletilerin metinleri, o200k_base ile sayılmış; görseller içinde değil.</translation>
    </message>
    <message>
        <source>Stop counting</source>
        <translation>Saymayı durdur</translation>
    </message>
    <message>
        <source>Send from here sends 1 message: your prompt.</source>
        <translation>Buradan gönderince 1 ileti gider: isteminiz.</translation>
    </message>
    <message>
        <source>Send from here sends {0} messages, your prompt among them.</source>
        <translation>Buradan gönderince, isteminiz dahil {0} ileti gider.</translation>
    </message>
    <message>
        <source>No tools are offered: calls are left out ({0}), what they returned becomes text ({1}).</source>
        <translation>Araç sunulmaz: çağrılar atlanır ({0}), döndürdükleri metne dönüşür ({1}).</translation>
    </message>
    <message>
        <source>System messages become the system prompt.</source>
        <translation>Sistem iletileri sistem istemi olur.</translation>
    </message>
    <message>
        <source>Messages of one side in a row become one.</source>
        <translation>Aynı tarafın art arda gelen iletileri tek ileti olur.</translation>
    </message>
    <message>
        <source>nothing recorded yet</source>
        <translation>henüz kayıtlı bir şey yok</translation>
    </message>
    <message>
        <source>at message {0} of {1}</source>
        <translation>{1} iletinin {0}. sırasında</translation>
    </message>
    <message>
        <source>Recorded usage</source>
        <translation>Kayıtlı kullanım</translation>
    </message>
    <message>
        <source>What the provider measured for the latest answer since the last compaction or context edit.</source>
        <translation>Son sıkıştırmadan ya da bağlam düzenlemesinden beri gelen en son yanıt için sağlayıcının ölçtüğü.</translation>
    </message>
    <message>
        <source>The agents&apos; estimate (decides the cut)</source>
        <translation>Ajanların tahmini (kesimi belirler)</translation>
    </message>
    <message>
        <source>A quarter of the characters. The agents decide by it where to cut.</source>
        <translation>Karakterlerin dörtte biri. Ajanlar nereden kesileceğine bununla karar verir.</translation>
    </message>
    <message>
        <source>Calibrated estimate</source>
        <translation>Ayarlanmış tahmin</translation>
    </message>
    <message>
        <source>The recorded usage, and for what came after it the estimate, scaled as the recorded numbers show.</source>
        <translation>Kayıtlı kullanım; sonrasında gelenler için de kayıtlı sayılara göre ölçeklenmiş tahmin.</translation>
    </message>
    <message>
        <source>thinking {0}</source>
        <translation>düşünme {0}</translation>
    </message>
    <message>
        <source>window {0}</source>
        <translation>pencere {0}</translation>
    </message>
    <message>
        <source>Left out by context edits: {0}.</source>
        <translation>Bağlam düzenlemeleriyle çıkarılan: {0}.</translation>
    </message>
    <message>
        <source>Images that an exact count leaves out: {0}.</source>
        <translation>Tam sayıma girmeyen görsel: {0}.</translation>
    </message>
    <message>
        <source>Building the context…</source>
        <translation>Bağlam kuruluyor…</translation>
    </message>
</context>
<context>
    <name>ContextTable</name>
    <message>
        <source>Role</source>
        <translation>Rol</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>İşaret</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Metin</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>Toplam</translation>
    </message>
    <message>
        <source>{0} tokens (the agents&apos; estimate)</source>
        <translation>{0} token (ajanların tahmini)</translation>
    </message>
    <message>
        <source>{0} tokens up to here</source>
        <translation>buraya kadar {0} token</translation>
    </message>
    <message>
        <source>{0} % of the window</source>
        <translation>pencerenin % {0} kadarı</translation>
    </message>
    <message>
        <source>system</source>
        <translation>sistem</translation>
    </message>
    <message>
        <source>developer</source>
        <translation>geliştirici</translation>
    </message>
    <message>
        <source>user</source>
        <translation>kullanıcı</translation>
    </message>
    <message>
        <source>assistant</source>
        <translation>asistan</translation>
    </message>
    <message>
        <source>tool result</source>
        <translation>araç sonucu</translation>
    </message>
    <message>
        <source>bash command</source>
        <translation>bash komutu</translation>
    </message>
    <message>
        <source>Python code</source>
        <translation>Python kodu</translation>
    </message>
    <message>
        <source>note</source>
        <translation>not</translation>
    </message>
    <message>
        <source>summary</source>
        <translation>özet</translation>
    </message>
    <message>
        <source>branch summary</source>
        <translation>dal özeti</translation>
    </message>
    <message>
        <source>files</source>
        <translation>dosyalar</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>korunan</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>düzenlendi</translation>
    </message>
    <message>
        <source>pruned</source>
        <translation>budandı</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>gönderilmez</translation>
    </message>
    <message>
        <source>The summary of what a compaction took out of the context</source>
        <translation>Bir sıkıştırmanın bağlamdan çıkardıklarının özeti</translation>
    </message>
    <message>
        <source>The summary of a branch that was left</source>
        <translation>Terk edilen bir dalın özeti</translation>
    </message>
    <message>
        <source>Kept word for word by the latest compaction</source>
        <translation>Son sıkıştırma sözcüğü sözcüğüne korudu</translation>
    </message>
    <message>
        <source>Its content was replaced by a context edit</source>
        <translation>İçeriği bir bağlam düzenlemesiyle değiştirildi</translation>
    </message>
    <message>
        <source>A tool output that was replaced by a notice</source>
        <translation>Yerine bir not konmuş araç çıktısı</translation>
    </message>
    <message>
        <source>In the session, but not sent to the model</source>
        <translation>Oturumda var, ama modele gönderilmiyor</translation>
    </message>
</context>
<context>
    <name>DockTitle</name>
    <message>
        <source>A window of its own, or back</source>
        <translation>Ayrı pencereye al ya da geri koy</translation>
    </message>
</context>
<context>
    <name>EntryControl</name>
    <message>
        <source>Copied {0} characters.</source>
        <translation>{0} karakter kopyalandı.</translation>
    </message>
</context>
<context>
    <name>EntryImages</name>
    <message>
        <source>This image can&apos;t be shown: {0} of an unknown format.</source>
        <translation>Bu görsel gösterilemiyor: biçimi bilinmeyen {0}.</translation>
    </message>
    <message>
        <source>This image can&apos;t be shown: it has {0} × {1} pixels.</source>
        <translation>Bu görsel gösterilemiyor: {0} × {1} piksel.</translation>
    </message>
    <message>
        <source>This image is damaged: {0} that can&apos;t be decoded.</source>
        <translation>Bu görsel bozuk: çözülemeyen {0}.</translation>
    </message>
    <message>
        <source>This image is not there any more: {0} was not found or is damaged.</source>
        <translation>Bu görsel artık yok: {0} bulunamadı ya da bozuk.</translation>
    </message>
    <message>
        <source>No content</source>
        <translation>İçerik yok</translation>
    </message>
    <message>
        <source>This image is damaged: its data can&apos;t be read.</source>
        <translation>Bu görsel bozuk: verisi okunamıyor.</translation>
    </message>
</context>
<context>
    <name>EntryPage</name>
    <message>
        <source>No content</source>
        <translation>İçerik yok</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Düşünme</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Sonuç</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Hata</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Görsel</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Komut</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Kod</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Çıktı</translation>
    </message>
    <message>
        <source>Exit code</source>
        <translation>Çıkış kodu</translation>
    </message>
    <message>
        <source>In short</source>
        <translation>Kısaca</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Özet</translation>
    </message>
    <message>
        <source>Files read</source>
        <translation>Okunan dosyalar</translation>
    </message>
    <message>
        <source>Files modified</source>
        <translation>Değiştirilen dosyalar</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Ayrıntılar</translation>
    </message>
    <message>
        <source>Call of {0}</source>
        <translation>{0} çağrısı</translation>
    </message>
    <message>
        <source>a tool</source>
        <translation>araç</translation>
    </message>
    <message>
        <source>ended with {0}</source>
        <translation>bitiş: {0}</translation>
    </message>
    <message>
        <source>input {0}</source>
        <translation>girdi {0}</translation>
    </message>
    <message>
        <source>output {0}</source>
        <translation>çıktı {0}</translation>
    </message>
    <message>
        <source>from cache {0}</source>
        <translation>önbellekten {0}</translation>
    </message>
    <message>
        <source>to cache {0}</source>
        <translation>önbelleğe {0}</translation>
    </message>
    <message>
        <source>recorded usage: {0}</source>
        <translation>kayıtlı kullanım: {0}</translation>
    </message>
    <message>
        <source>{0} · {1} characters</source>
        <translation>{0} · {1} karakter</translation>
    </message>
    <message>
        <source>Show the entry {0} that this comes from</source>
        <translation>Bunun geldiği {0} kaydını göster</translation>
    </message>
    <message>
        <source>… {0} more characters in the result</source>
        <translation>… sonuçta {0} karakter daha</translation>
    </message>
    <message>
        <source>Show the entry {0}</source>
        <translation>{0} kaydını göster</translation>
    </message>
    <message>
        <source>Go to it →</source>
        <translation>Oraya git →</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Katla</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>Aç</translation>
    </message>
</context>
<context>
    <name>EntryTab</name>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopyala</translation>
    </message>
    <message>
        <source>Rendered</source>
        <translation>Biçimli</translation>
    </message>
    <message>
        <source>Plain</source>
        <translation>Düz</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Satır</translation>
    </message>
    <message>
        <source>Show what the entry says, its Markdown rendered</source>
        <translation>Kaydın dediğini, Markdown biçimlenmiş olarak göster</translation>
    </message>
    <message>
        <source>Show what the entry says, as it is written</source>
        <translation>Kaydın dediğini yazıldığı gibi göster</translation>
    </message>
    <message>
        <source>Show all fields of the entry</source>
        <translation>Kaydın tüm alanlarını göster</translation>
    </message>
    <message>
        <source>Show the line of the file exactly as it is</source>
        <translation>Dosyadaki satırı olduğu gibi göster</translation>
    </message>
    <message>
        <source>Copy the entry, its JSON or its id</source>
        <translation>Kaydı, JSON’unu ya da kimliğini kopyala</translation>
    </message>
    <message>
        <source>Text of the entry</source>
        <translation>Kaydın metni</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>Seçim yok</translation>
    </message>
    <message>
        <source>Select a row in the tree to read it here.</source>
        <translation>Burada okumak için ağaçta bir satır seçin.</translation>
    </message>
    <message>
        <source>id {0}</source>
        <translation>kimlik {0}</translation>
    </message>
    <message>
        <source>{0} tokens (the agents&apos; estimate)</source>
        <translation>{0} token (ajanların tahmini)</translation>
    </message>
    <message>
        <source>label “{0}”</source>
        <translation>etiket “{0}”</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Okunuyor…</translation>
    </message>
    <message>
        <source>Open a link</source>
        <translation>Bağlantı aç</translation>
    </message>
    <message>
        <source>Open this address in your browser? It comes from the session.</source>
        <translation>Bu adres tarayıcınızda açılsın mı? Adres oturumdan geliyor.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Aç</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Adresi kopyala</translation>
    </message>
    <message>
        <source>Copy the text</source>
        <translation>Metni kopyala</translation>
    </message>
    <message>
        <source>Copy the JSON</source>
        <translation>JSON’u kopyala</translation>
    </message>
    <message>
        <source>Copy the line of the file</source>
        <translation>Dosyadaki satırı kopyala</translation>
    </message>
    <message>
        <source>Copy the id</source>
        <translation>Kimliği kopyala</translation>
    </message>
</context>
<context>
    <name>EventLog</name>
    <message>
        <source>Done.</source>
        <translation>Bitti.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Durduruldu.</translation>
    </message>
    <message>
        <source>Failed: {0}</source>
        <translation>Başarısız: {0}</translation>
    </message>
</context>
<context>
    <name>EventLogDialog</name>
    <message>
        <source>Event log</source>
        <translation>Olay günlüğü</translation>
    </message>
    <message>
        <source>Events of this session</source>
        <translation>Bu oturumun olayları</translation>
    </message>
    <message>
        <source>Nothing has run in this session yet.</source>
        <translation>Bu oturumda henüz bir işlem çalışmadı.</translation>
    </message>
    <message>
        <source>Kept in {0}</source>
        <translation>Saklandığı yer: {0}</translation>
    </message>
</context>
<context>
    <name>EventSentences</name>
    <message>
        <source>The answer is complete.</source>
        <translation>Yanıt tamamlandı.</translation>
    </message>
    <message>
        <source>The answer was cut off at the model&apos;s output limit.</source>
        <translation>Yanıt, modelin çıktı sınırında kesildi.</translation>
    </message>
    <message>
        <source>The answer was stopped; what had arrived was kept.</source>
        <translation>Yanıt durduruldu; gelen bölüm saklandı.</translation>
    </message>
    <message>
        <source>The turn failed: {0}</source>
        <translation>Tur başarısız: {0}</translation>
    </message>
    <message>
        <source>Trying again ({0}).</source>
        <translation>Yeniden deneniyor ({0}).</translation>
    </message>
    <message>
        <source>Trying again helped.</source>
        <translation>Yeniden deneme işe yaradı.</translation>
    </message>
    <message>
        <source>No more tries.</source>
        <translation>Deneme hakkı kalmadı.</translation>
    </message>
    <message>
        <source>1 old tool output was pruned; about {0} tokens saved.</source>
        <translation>1 eski araç çıktısı budandı; yaklaşık {0} token kazanıldı.</translation>
    </message>
    <message>
        <source>{0} old tool outputs were pruned; about {1} tokens saved.</source>
        <translation>{0} eski araç çıktısı budandı; yaklaşık {1} token kazanıldı.</translation>
    </message>
    <message>
        <source>Trying again in {0} s ({1} of {2})</source>
        <translation>{0} sn sonra yeniden denenecek ({1} / {2})</translation>
    </message>
    <message>
        <source>Compacting</source>
        <translation>Sıkıştırılıyor</translation>
    </message>
    <message>
        <source>Compacting: the context is nearly full</source>
        <translation>Sıkıştırılıyor: bağlam neredeyse doldu</translation>
    </message>
    <message>
        <source>Compacting: the context was too large; the turn is repeated then</source>
        <translation>Sıkıştırılıyor: bağlam çok büyüktü; tur ardından yinelenecek</translation>
    </message>
    <message>
        <source>Asking {0} again</source>
        <translation>{0} yeniden soruluyor</translation>
    </message>
    <message>
        <source>{0} goes on by itself after the compaction</source>
        <translation>{0} sıkıştırmadan sonra kendiliğinden sürdürüyor</translation>
    </message>
    <message>
        <source>{0} answers</source>
        <translation>{0} yanıtlıyor</translation>
    </message>
    <message>
        <source>Compacted: the context has {0} tokens by the agents&apos; estimate.</source>
        <translation>Sıkıştırıldı: bağlam, ajanların tahminiyle {0} token.</translation>
    </message>
    <message>
        <source>The compaction was stopped; nothing was written.</source>
        <translation>Sıkıştırma durduruldu; hiçbir şey yazılmadı.</translation>
    </message>
    <message>
        <source>There was nothing to compact.</source>
        <translation>Sıkıştıracak bir şey yoktu.</translation>
    </message>
    <message>
        <source>The compaction failed.</source>
        <translation>Sıkıştırma başarısız oldu.</translation>
    </message>
</context>
<context>
    <name>ExportControl</name>
    <message>
        <source>The session has grown by 1 entry since; it will not be in the export.</source>
        <translation>Oturum o zamandan beri 1 kayıt büyüdü; bu kayıt dışa aktarılmayacak.</translation>
    </message>
    <message>
        <source>The session has grown by {0} entries since; they will not be in the export.</source>
        <translation>Oturum o zamandan beri {0} kayıt büyüdü; bunlar dışa aktarılmayacak.</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>Dışa aktarılıyor</translation>
    </message>
    <message>
        <source>Exported to {0}.</source>
        <translation>Dışa aktarıldı: {0}.</translation>
    </message>
    <message>
        <source>Stopped. Nothing was written.</source>
        <translation>Durduruldu. Hiçbir şey yazılmadı.</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>Dışa aktar</translation>
    </message>
    <message>
        <source>Export “{0}”</source>
        <translation>“{0}” dışa aktarılıyor</translation>
    </message>
    <message>
        <source>There is something of that name already, and it stays. Choose another name.</source>
        <translation>Bu adda bir şey zaten var ve olduğu gibi kalır. Başka bir ad seçin.</translation>
    </message>
    <message>
        <source>That is a folder. Put the name of a new file behind it.</source>
        <translation>Bu bir klasör. Arkasına yeni bir dosya adı yazın.</translation>
    </message>
    <message>
        <source>There is no such folder.</source>
        <translation>Böyle bir klasör yok.</translation>
    </message>
    <message>
        <source>This cannot be the name of a file.</source>
        <translation>Bu bir dosya adı olamaz.</translation>
    </message>
    <message>
        <source>Looking for secrets…</source>
        <translation>Gizli bilgi aranıyor…</translation>
    </message>
    <message>
        <source>Writing {0}…</source>
        <translation>{0} yazılıyor…</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>Dışa aktarıldı</translation>
    </message>
    <message>
        <source>1 likely secret was masked.</source>
        <translation>1 olası gizli bilgi maskelendi.</translation>
    </message>
    <message>
        <source>{0} likely secrets were masked.</source>
        <translation>{0} olası gizli bilgi maskelendi.</translation>
    </message>
    <message>
        <source>&amp;Web page with the tree (HTML)</source>
        <translation>Ağaçla birlikte &amp;web sayfası (HTML)</translation>
    </message>
    <message>
        <source>&amp;Markdown</source>
        <translation>&amp;Markdown</translation>
    </message>
    <message>
        <source>&amp;JSON</source>
        <translation>&amp;JSON</translation>
    </message>
    <message>
        <source>&amp;All branches</source>
        <translation>&amp;Tüm dallar</translation>
    </message>
    <message>
        <source>Only the active &amp;path</source>
        <translation>Yalnızca &amp;etkin yol</translation>
    </message>
    <message>
        <source>Only the &amp;branch up to the selected entry</source>
        <translation>Yalnızca seçili kayda kadarki &amp;dal</translation>
    </message>
    <message>
        <source>With &amp;images</source>
        <translation>&amp;Görsellerle</translation>
    </message>
    <message>
        <source>File to write</source>
        <translation>Yazılacak dosya</translation>
    </message>
    <message>
        <source>C&amp;hoose…</source>
        <translation>&amp;Seç…</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>İlerleme</translation>
    </message>
    <message>
        <source>&amp;Look again</source>
        <translation>Yeniden &amp;bak</translation>
    </message>
    <message>
        <source>Ma&amp;sk them: a note of its kind stands in place of each</source>
        <translation>Mas&amp;kele: her birinin yerine türünü söyleyen bir not konur</translation>
    </message>
    <message>
        <source>&amp;Keep them as they are</source>
        <translation>&amp;Oldukları gibi bırak</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>Dışa &amp;aktar</translation>
    </message>
    <message>
        <source>&amp;Open it</source>
        <translation>A&amp;ç</translation>
    </message>
    <message>
        <source>Show in &amp;file manager</source>
        <translation>Dosya yöneticisinde &amp;göster</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>Ka&amp;pat</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Biçim</translation>
    </message>
    <message>
        <source>How much</source>
        <translation>Ne kadarı</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>Dos&amp;ya</translation>
    </message>
    <message>
        <source>The file that was written</source>
        <translation>Yazılan dosya</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>Dışa aktarılacak yer</translation>
    </message>
    <message>
        <source>What looks like a secret stands in it. Nothing has been written yet.</source>
        <translation>İçinde gizli bilgiye benzeyen bir şey var. Henüz hiçbir şey yazılmadı.</translation>
    </message>
    <message>
        <source>{0} likely secrets stand in {1} of its entries. Nothing has been written yet.</source>
        <translation>{1} kaydında {0} olası gizli bilgi var. Henüz hiçbir şey yazılmadı.</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>Du&amp;rdur</translation>
    </message>
    <message>
        <source>Ca&amp;ncel</source>
        <translation>İ&amp;ptal</translation>
    </message>
    <message>
        <source>Esc stops</source>
        <translation>Esc durdurur</translation>
    </message>
    <message>
        <source>Nothing has been written</source>
        <translation>Hiçbir şey yazılmadı</translation>
    </message>
    <message>
        <source>The session is empty.</source>
        <translation>Oturum boş.</translation>
    </message>
    <message>
        <source>State of the session: {0}, up to entry {1}.</source>
        <translation>Oturumun durumu: {0}, {1} kaydına kadar.</translation>
    </message>
    <message>
        <source>{0}, one branch.</source>
        <translation>{0}, tek dal.</translation>
    </message>
    <message>
        <source>{0} in {1} branches.</source>
        <translation>{1} dalda {0}.</translation>
    </message>
    <message>
        <source>(header)</source>
        <translation>(başlık)</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Tür</translation>
    </message>
    <message>
        <source>Begins with</source>
        <translation>Başlangıcı</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>Kayıt</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Kez</translation>
    </message>
    <message>
        <source>Likely secrets</source>
        <translation>Olası gizli bilgiler</translation>
    </message>
</context>
<context>
    <name>ExtensionsPage</name>
    <message>
        <source>Extensions</source>
        <translation>Uzantılar</translation>
    </message>
    <message>
        <source>Extensions take part in compactions and navigation. They are trusted code: they run in this program and may do whatever you may do. Those of a project run only once you trust the project.</source>
        <translation>Uzantılar sıkıştırmalara ve gezinmeye katılır. Güvenilen koddurlar: bu programın içinde çalışır ve sizin yapabildiğiniz her şeyi yapabilirler. Bir projenin uzantıları ancak projeye güvendiğinizde çalışır.</translation>
    </message>
    <message>
        <source>Load and check</source>
        <translation>Yükle ve denetle</translation>
    </message>
    <message>
        <source>Runs them now; otherwise the first operation of a session does</source>
        <translation>Şimdi çalıştırır; yoksa bunu bir oturumun ilk işlemi yapar</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Klasörü aç</translation>
    </message>
    <message>
        <source>SETTINGS</source>
        <translation>AYARLAR</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Yükleniyor…</translation>
    </message>
    <message>
        <source>The folder could not be made: {0}.</source>
        <translation>Klasör oluşturulamadı: {0}.</translation>
    </message>
    <message>
        <source>None yet. Python files in {0} are found.</source>
        <translation>Henüz yok. {0} içindeki Python dosyaları bulunur.</translation>
    </message>
    <message>
        <source>Loaded. Changed files count at the next start.</source>
        <translation>Yüklendi. Değişen dosyalar bir sonraki açılışta geçerli olur.</translation>
    </message>
    <message>
        <source>Not loaded yet: the first operation of a session does that.</source>
        <translation>Henüz yüklenmedi: bunu bir oturumun ilk işlemi yapar.</translation>
    </message>
    <message>
        <source>installed package</source>
        <translation>kurulu paket</translation>
    </message>
    <message>
        <source>extensions folder</source>
        <translation>uzantılar klasörü</translation>
    </message>
    <message>
        <source>your settings</source>
        <translation>sizin ayarlarınız</translation>
    </message>
    <message>
        <source>the project</source>
        <translation>proje</translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation>yüklenmedi</translation>
    </message>
    <message>
        <source>loaded · {0}</source>
        <translation>yüklendi · {0}</translation>
    </message>
    <message>
        <source>no hooks</source>
        <translation>kanca yok</translation>
    </message>
</context>
<context>
    <name>FileControl</name>
    <message>
        <source>Save a copy</source>
        <translation>Kopyasını kaydet</translation>
    </message>
    <message>
        <source>Sessions (*.jsonl)</source>
        <translation>Oturumlar (*.jsonl)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tüm dosyalar (*)</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Farklı kaydet…</translation>
    </message>
    <message>
        <source>The file can be changed again.</source>
        <translation>Dosya yeniden değiştirilebilir.</translation>
    </message>
    <message>
        <source>There is something called {0} already, and it stays. Nothing was saved.</source>
        <translation>{0} adında bir şey zaten var ve olduğu gibi kalır. Hiçbir şey kaydedilmedi.</translation>
    </message>
    <message>
        <source>Saved to {0}.</source>
        <translation>Kaydedildi: {0}.</translation>
    </message>
    <message>
        <source>The session was saved to {0}.</source>
        <translation>Oturum kaydedildi: {0}.</translation>
    </message>
    <message>
        <source>A repaired copy was saved to {0}.</source>
        <translation>Onarılmış kopya kaydedildi: {0}.</translation>
    </message>
    <message>
        <source>A repaired copy was saved to {0}. In it 1 entry has a new id, since a later one has the same.</source>
        <translation>Onarılmış bir kopya {0} olarak kaydedildi. İçinde 1 kaydın yeni bir kimliği var, çünkü sonraki bir kayıt aynısını taşıyor.</translation>
    </message>
    <message>
        <source>A repaired copy was saved to {0}. In it {1} entries have new ids, since later ones have the same.</source>
        <translation>Onarılmış bir kopya {0} olarak kaydedildi. İçinde {1} kaydın yeni kimlikleri var, çünkü sonraki kayıtlar aynılarını taşıyor.</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Aç</translation>
    </message>
</context>
<context>
    <name>FileList</name>
    <message>
        <source>Files</source>
        <translation>Dosyalar</translation>
    </message>
    <message>
        <source>Ctrl+C copies the paths</source>
        <translation>Ctrl+C yolları kopyalar</translation>
    </message>
    <message>
        <source>Files: {0} read, {1} modified</source>
        <translation>Dosyalar: {0} okunan, {1} değiştirilen</translation>
    </message>
    <message>
        <source>read</source>
        <translation>okundu</translation>
    </message>
    <message>
        <source>modified</source>
        <translation>değiştirildi</translation>
    </message>
</context>
<context>
    <name>FlagEditor</name>
    <message>
        <source>On</source>
        <translation>Açık</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Kapalı</translation>
    </message>
</context>
<context>
    <name>GoingAbout</name>
    <message>
        <source>&amp;Find…</source>
        <translation>&amp;Bul…</translation>
    </message>
    <message>
        <source>Next &amp;match</source>
        <translation>Sonraki &amp;eşleşme</translation>
    </message>
    <message>
        <source>Previous m&amp;atch</source>
        <translation>Önceki eşleş&amp;me</translation>
    </message>
    <message>
        <source>Go to an &amp;id…</source>
        <translation>&amp;Kimliğe git…</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Geri</translation>
    </message>
    <message>
        <source>F&amp;orward</source>
        <translation>İ&amp;leri</translation>
    </message>
    <message>
        <source>Go to the &amp;leaf</source>
        <translation>&amp;Uca git</translation>
    </message>
    <message>
        <source>&amp;Parent entry</source>
        <translation>Üst kayı&amp;t</translation>
    </message>
    <message>
        <source>&amp;Child entry</source>
        <translation>&amp;Alt kayıt</translation>
    </message>
    <message>
        <source>Next &amp;sibling branch</source>
        <translation>&amp;Sonraki kardeş dal</translation>
    </message>
    <message>
        <source>Previous siblin&amp;g branch</source>
        <translation>Önceki kar&amp;deş dal</translation>
    </message>
    <message>
        <source>&amp;Next branch point</source>
        <translation>Sonraki &amp;çatallanma</translation>
    </message>
    <message>
        <source>P&amp;revious branch point</source>
        <translation>Ön&amp;ceki çatallanma</translation>
    </message>
    <message>
        <source>Next labelled &amp;entry</source>
        <translation>Sonraki etiketl&amp;i kayıt</translation>
    </message>
    <message>
        <source>Previous labelle&amp;d entry</source>
        <translation>Ö&amp;nceki etiketli kayıt</translation>
    </message>
    <message>
        <source>Branch &amp;points only</source>
        <translation>Yalnızca &amp;çatallanmalar</translation>
    </message>
    <message>
        <source>&amp;Map</source>
        <translation>&amp;Harita</translation>
    </message>
    <message>
        <source>&amp;Inspector</source>
        <translation>D&amp;enetçi</translation>
    </message>
    <message>
        <source>Compare with the acti&amp;ve path</source>
        <translation>Etk&amp;in yolla karşılaştır</translation>
    </message>
    <message>
        <source>Compare from &amp;here</source>
        <translation>&amp;Buradan karşılaştır</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>&amp;Zaman çizelgesi</translation>
    </message>
    <message>
        <source>Go there, &amp;without questions</source>
        <translation>Sormadan &amp;oraya git</translation>
    </message>
    <message>
        <source>Copy the i&amp;d</source>
        <translation>Kimliği kop&amp;yala</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Bul</translation>
    </message>
    <message>
        <source>Copied {0}.</source>
        <translation>{0} kopyalandı.</translation>
    </message>
</context>
<context>
    <name>GroupBar</name>
    <message>
        <source>summary</source>
        <translation>özet</translation>
    </message>
    <message>
        <source>turn prefix</source>
        <translation>tur başı</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>korunan</translation>
    </message>
</context>
<context>
    <name>HelpDialog</name>
    <message>
        <source>Help</source>
        <translation>Yardım</translation>
    </message>
    <message>
        <source>Find a key or what it does</source>
        <translation>Bir tuş ya da işlev arayın</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Bul</translation>
    </message>
    <message>
        <source>Change shortcuts…</source>
        <translation>Kısayolları değiştir…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Kapat</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>Tüm tuşlar</translation>
    </message>
    <message>
        <source>A session is a tree</source>
        <translation>Oturum bir ağaçtır</translation>
    </message>
    <message>
        <source>Looking changes nothing: opening and browsing never write to the file.</source>
        <translation>Bakmak hiçbir şeyi değiştirmez: açmak ve gezinmek dosyaya asla yazmaz.</translation>
    </message>
    <message>
        <source>Enter on an entry goes there, and asks whether to summarise the branch that you leave.</source>
        <translation>Bir kayıtta Enter oraya götürür ve ayrıldığınız dalın özetlenip özetlenmeyeceğini sorar.</translation>
    </message>
    <message>
        <source>Compaction shows the cut before it is made; what it writes is one entry at the end of the file.</source>
        <translation>Sıkıştırma, kesimi yapmadan önce gösterir; yazdığı tek şey dosyanın sonundaki bir kayıttır.</translation>
    </message>
    <message>
        <source>Esc stops what runs, wherever you are: nothing is written, and you stay where you were.</source>
        <translation>Esc, nerede olursanız olun süren işlemi durdurur: hiçbir şey yazılmaz, bulunduğunuz yerde kalırsınız.</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Her yerde</translation>
    </message>
    <message>
        <source>Stop what runs; else back, or close</source>
        <translation>Süren işlemi durdur; yoksa geri dön ya da kapat</translation>
    </message>
    <message>
        <source>To the next part of the window</source>
        <translation>Pencerenin sonraki bölümüne</translation>
    </message>
    <message>
        <source>In the tree</source>
        <translation>Ağaçta</translation>
    </message>
    <message>
        <source>Entry before, entry after</source>
        <translation>Önceki kayıt, sonraki kayıt</translation>
    </message>
    <message>
        <source>Unfold, fold or to the entry it hangs on</source>
        <translation>Aç, katla ya da bağlı olduğu kayda git</translation>
    </message>
    <message>
        <source>Go there, asking about a summary</source>
        <translation>Özeti sorarak oraya git</translation>
    </message>
    <message>
        <source>Go there without a summary or a question</source>
        <translation>Özetsiz ve sormadan oraya git</translation>
    </message>
    <message>
        <source>In the composer</source>
        <translation>İleti kutusunda</translation>
    </message>
    <message>
        <source>Compact, with instructions</source>
        <translation>Yönergelerle sıkıştır</translation>
    </message>
    <message>
        <source>To the tree</source>
        <translation>Ağaca</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>Yeni satır</translation>
    </message>
    <message>
        <source>no key</source>
        <translation>tuş yok</translation>
    </message>
    <message>
        <source>No key is about “{0}”.</source>
        <translation>“{0}” ile ilgili tuş yok.</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Diğer</translation>
    </message>
</context>
<context>
    <name>InspectorTabs</name>
    <message>
        <source>Entry</source>
        <translation>Kayıt</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Bağlam</translation>
    </message>
    <message>
        <source>Navigate</source>
        <translation>Git</translation>
    </message>
    <message>
        <source>Compaction</source>
        <translation>Sıkıştırma</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Karşılaştır</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zaman</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Sorunlar</translation>
    </message>
</context>
<context>
    <name>JumpControl</name>
    <message>
        <source>This is the first entry.</source>
        <translation>Bu ilk kayıt.</translation>
    </message>
    <message>
        <source>No entry follows.</source>
        <translation>Sonrasında kayıt yok.</translation>
    </message>
    <message>
        <source>That entry is not in the file any more.</source>
        <translation>Bu kayıt artık dosyada yok.</translation>
    </message>
    <message>
        <source>The filter hides that entry.</source>
        <translation>Süzgeç o kaydı gizliyor.</translation>
    </message>
    <message>
        <source>The filter hides that entry; the nearest one before it is selected.</source>
        <translation>Süzgeç o kaydı gizliyor; öncesindeki en yakın kayıt seçildi.</translation>
    </message>
    <message>
        <source>There is no other branch beside this one.</source>
        <translation>Bunun yanında başka dal yok.</translation>
    </message>
    <message>
        <source>The filter hides the other branches.</source>
        <translation>Süzgeç öbür dalları gizliyor.</translation>
    </message>
    <message>
        <source>There is no branch point below.</source>
        <translation>Aşağıda çatallanma yok.</translation>
    </message>
    <message>
        <source>There is no branch point above.</source>
        <translation>Yukarıda çatallanma yok.</translation>
    </message>
    <message>
        <source>The filter hides all labelled entries.</source>
        <translation>Süzgeç tüm etiketli kayıtları gizliyor.</translation>
    </message>
    <message>
        <source>Nothing is labelled.</source>
        <translation>Etiketli kayıt yok.</translation>
    </message>
    <message>
        <source>No entry has an id that begins with {0}.</source>
        <translation>Kimliği {0} ile başlayan kayıt yok.</translation>
    </message>
    <message>
        <source>Several ids begin with {0}: {1} …</source>
        <translation>Birden çok kimlik {0} ile başlıyor: {1} …</translation>
    </message>
    <message>
        <source>There is no place to go back to.</source>
        <translation>Geri dönülecek yer yok.</translation>
    </message>
    <message>
        <source>There is no place ahead.</source>
        <translation>İleride gidilecek yer yok.</translation>
    </message>
    <message>
        <source>You are where you were before. Nothing was written.</source>
        <translation>Önceki yerinizdesiniz. Hiçbir şey yazılmadı.</translation>
    </message>
    <message>
        <source>Going there</source>
        <translation>Oraya gidiliyor</translation>
    </message>
    <message>
        <source>Something else is running. Stop it first, or wait for it.</source>
        <translation>Başka bir işlem sürüyor. Önce onu durdurun ya da bitmesini bekleyin.</translation>
    </message>
</context>
<context>
    <name>KeyRow</name>
    <message>
        <source>paste a key</source>
        <translation>anahtarı yapıştırın</translation>
    </message>
    <message>
        <source>Keep in the keyring</source>
        <translation>Anahtarlıkta sakla</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Kaldır</translation>
    </message>
    <message>
        <source>Remove the key</source>
        <translation>Anahtarı kaldır</translation>
    </message>
    <message>
        <source>Use it until the program ends</source>
        <translation>Program bitene kadar kullan</translation>
    </message>
    <message>
        <source>It would be in memory only: written nowhere, and to be entered again next time.</source>
        <translation>Yalnızca bellekte dururdu: hiçbir yere yazılmaz, bir dahaki sefere yeniden girilmesi gerekir.</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Anahtar</translation>
    </message>
    <message>
        <source>Kept in the system keyring, never in a settings file. It cannot be shown again.</source>
        <translation>Sistemin anahtarlığında saklanır, ayar dosyasında asla. Yeniden gösterilemez.</translation>
    </message>
    <message>
        <source>The key is used until the program ends. It is written nowhere.</source>
        <translation>Anahtar program bitene kadar kullanılır. Hiçbir yere yazılmaz.</translation>
    </message>
    <message>
        <source>Looking for a key for {0}…</source>
        <translation>{0} için anahtar aranıyor…</translation>
    </message>
    <message>
        <source>There is a key for {0}, from the {1}.</source>
        <translation>{0} için bir anahtar var; kaynağı: {1}.</translation>
    </message>
    <message>
        <source> or </source>
        <translation> ya da </translation>
    </message>
    <message>
        <source>No key for {0} yet. The environment variable {1} would do as well.</source>
        <translation>{0} için henüz anahtar yok. {1} ortam değişkeni de olur.</translation>
    </message>
    <message>
        <source>No key for {0} yet; many servers of your own need none.</source>
        <translation>{0} için henüz anahtar yok; kendi sunucularınızın çoğu anahtar istemez.</translation>
    </message>
    <message>
        <source>The key is in the system keyring.</source>
        <translation>Anahtar sistemin anahtarlığında.</translation>
    </message>
    <message>
        <source>The key is taken away.</source>
        <translation>Anahtar kaldırıldı.</translation>
    </message>
</context>
<context>
    <name>LanguageMenu</name>
    <message>
        <source>Lan&amp;guage</source>
        <translation>&amp;Dil</translation>
    </message>
    <message>
        <source>As the s&amp;ystem</source>
        <translation>&amp;Sistemdeki gibi</translation>
    </message>
    <message>
        <source>Branchwork speaks this language from the next start on.</source>
        <translation>Branchwork bir sonraki açılıştan itibaren bu dili konuşur.</translation>
    </message>
</context>
<context>
    <name>LeafNotices</name>
    <message>
        <source>You are where you left off; the file goes on to “{0}”.</source>
        <translation>Bıraktığınız yerdesiniz; dosya “{0}” kaydına dek sürüyor.</translation>
    </message>
    <message>
        <source>You are where you left off; the file ends on another branch, with “{0}”.</source>
        <translation>Bıraktığınız yerdesiniz; dosya başka bir dalda, “{0}” ile bitiyor.</translation>
    </message>
    <message>
        <source>Go there</source>
        <translation>Oraya git</translation>
    </message>
    <message>
        <source>The newest message is on another branch than the end of the file.</source>
        <translation>En yeni ileti, dosyanın sonundakinden başka bir dalda.</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>Göster</translation>
    </message>
    <message>
        <source>Another program has gone on: the newest message is not on the path that you are on.</source>
        <translation>Başka bir program devam etti: en yeni ileti, bulunduğunuz yolun üzerinde değil.</translation>
    </message>
    <message>
        <source>Going there</source>
        <translation>Oraya gidiliyor</translation>
    </message>
    <message>
        <source>Something else is running. Stop it first, or wait for it.</source>
        <translation>Başka bir işlem sürüyor. Önce onu durdurun ya da bitmesini bekleyin.</translation>
    </message>
</context>
<context>
    <name>LibraryActions</name>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Aç</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>&amp;Yeniden adlandır…</translation>
    </message>
    <message>
        <source>Show in &amp;file manager</source>
        <translation>&amp;Dosya yöneticisinde göster</translation>
    </message>
    <message>
        <source>&amp;Copy path</source>
        <translation>Yolu &amp;kopyala</translation>
    </message>
    <message>
        <source>&amp;Show where it was forked from</source>
        <translation>&amp;Nereden çatallandığını göster</translation>
    </message>
    <message>
        <source>Move to &amp;trash</source>
        <translation>&amp;Çöpe taşı</translation>
    </message>
    <message>
        <source>&amp;Undo: out of the trash again</source>
        <translation>&amp;Geri al: çöpten çıkar</translation>
    </message>
    <message>
        <source>R&amp;efresh</source>
        <translation>Yeni&amp;le</translation>
    </message>
    <message>
        <source>&amp;Add a folder…</source>
        <translation>Klasör &amp;ekle…</translation>
    </message>
    <message>
        <source>Added &amp;folders</source>
        <translation>Eklenen &amp;klasörler</translation>
    </message>
    <message>
        <source>Name of the session</source>
        <translation>Oturumun adı</translation>
    </message>
    <message>
        <source>Name (empty takes it away):</source>
        <translation>Ad (boş bırakılırsa kaldırılır):</translation>
    </message>
    <message>
        <source>Add a folder of sessions</source>
        <translation>Oturum klasörü ekle</translation>
    </message>
    <message>
        <source>Path copied.</source>
        <translation>Yol kopyalandı.</translation>
    </message>
    <message>
        <source>Paths copied.</source>
        <translation>Yollar kopyalandı.</translation>
    </message>
    <message>
        <source>From which session this one was forked is not known.</source>
        <translation>Bu oturumun hangisinden çatallandığı bilinmiyor.</translation>
    </message>
    <message>
        <source>“{0}” is open. Close it before moving it to the trash.</source>
        <translation>“{0}” açık. Çöpe taşımadan önce kapatın.</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>{0} klasörünü çıkar</translation>
    </message>
    <message>
        <source>Nothing in the folder is changed.</source>
        <translation>Klasörün içinde hiçbir şey değişmez.</translation>
    </message>
</context>
<context>
    <name>LibraryArranger</name>
    <message>
        <source>{0} that are older</source>
        <translation>daha eski {0}</translation>
    </message>
    <message>
        <source>These sessions name no directory.</source>
        <translation>Bu oturumlarda dizin adı yok.</translation>
    </message>
    <message>
        <source>No directory</source>
        <translation>Dizinsiz</translation>
    </message>
    <message>
        <source>In the texts</source>
        <translation>Metinlerde</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>aranıyor…</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>hiçbir şey</translation>
    </message>
    <message>
        <source>nothing so far</source>
        <translation>şimdilik hiçbir şey</translation>
    </message>
</context>
<context>
    <name>LibraryControl</name>
    <message>
        <source>{0} is in the library already.</source>
        <translation>{0} zaten kitaplıkta.</translation>
    </message>
    <message>
        <source>{0} was added to the library.</source>
        <translation>{0} kitaplığa eklendi.</translation>
    </message>
    <message>
        <source>{0} was taken out of the library; nothing in it was changed.</source>
        <translation>{0} kitaplıktan çıkarıldı; içinde hiçbir şey değişmedi.</translation>
    </message>
    <message>
        <source>“{0}” is back.</source>
        <translation>“{0}” geri geldi.</translation>
    </message>
    <message>
        <source>{0} sessions are back.</source>
        <translation>{0} oturum geri geldi.</translation>
    </message>
</context>
<context>
    <name>LibraryDock</name>
    <message>
        <source>Library</source>
        <translation>Kitaplık</translation>
    </message>
    <message>
        <source>Hide the library</source>
        <translation>Kitaplığı gizle</translation>
    </message>
</context>
<context>
    <name>LibraryPane</name>
    <message>
        <source>Library menu</source>
        <translation>Kitaplık menüsü</translation>
    </message>
    <message>
        <source>Reading the sessions</source>
        <translation>Oturumlar okunuyor</translation>
    </message>
    <message>
        <source>No session answers to “{0}”.</source>
        <translation>“{0}” ile eşleşen oturum yok.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Tümünü göster</translation>
    </message>
    <message>
        <source>Looking for sessions…</source>
        <translation>Oturumlar aranıyor…</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Klasör ekle…</translation>
    </message>
    <message>
        <source>Add a folder that holds some, or drop one here.</source>
        <translation>Oturum içeren bir klasör ekleyin ya da buraya bırakın.</translation>
    </message>
    <message>
        <source>No sessions were found in</source>
        <translation>Şurada oturum bulunamadı:</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Durdur</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Sürdür</translation>
    </message>
    <message>
        <source>Stop reading the sessions</source>
        <translation>Oturumları okumayı durdur</translation>
    </message>
    <message>
        <source>Go on reading the sessions</source>
        <translation>Oturumları okumayı sürdür</translation>
    </message>
    <message>
        <source>Another window is reading the sessions.</source>
        <translation>Oturumları başka bir pencere okuyor.</translation>
    </message>
    <message>
        <source>Reading {0} of {1}</source>
        <translation>{0} / {1} okunuyor</translation>
    </message>
    <message>
        <source>{0} so far</source>
        <translation>şimdiye dek {0}</translation>
    </message>
    <message>
        <source>Stopped before all was read.</source>
        <translation>Tümü okunmadan durduruldu.</translation>
    </message>
    <message>
        <source>1 folder could not be read</source>
        <translation>1 klasör okunamadı</translation>
    </message>
    <message>
        <source>{0} folders could not be read</source>
        <translation>{0} klasör okunamadı</translation>
    </message>
    <message>
        <source>Entries that were copied into a forked session count once.</source>
        <translation>Çatallanan oturuma kopyalanan kayıtlar bir kez sayılır.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Yeniden dene</translation>
    </message>
    <message>
        <source>“{0}” was moved to the trash.</source>
        <translation>“{0}” çöpe taşındı.</translation>
    </message>
    <message>
        <source>{0} sessions were moved to the trash.</source>
        <translation>{0} oturum çöpe taşındı.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Geri al</translation>
    </message>
</context>
<context>
    <name>LibraryRows</name>
    <message>
        <source>from “{0}”</source>
        <translation>kaynağı “{0}”</translation>
    </message>
    <message>
        <source>fork of an unknown session</source>
        <translation>bilinmeyen bir oturumun çatalı</translation>
    </message>
    <message>
        <source>open</source>
        <translation>açık</translation>
    </message>
    <message>
        <source>last active {0}</source>
        <translation>son etkinlik {0}</translation>
    </message>
    <message>
        <source>cost {0}</source>
        <translation>maliyet {0}</translation>
    </message>
    <message>
        <source>forked {0}</source>
        <translation>çatallandı, {0}</translation>
    </message>
    <message>
        <source>Last active: {0}</source>
        <translation>Son etkinlik: {0}</translation>
    </message>
    <message>
        <source>Size: {0}</source>
        <translation>Boyut: {0}</translation>
    </message>
    <message>
        <source>Tokens used: {0}</source>
        <translation>Kullanılan token: {0}</translation>
    </message>
    <message>
        <source>Cost: {0}</source>
        <translation>Maliyet: {0}</translation>
    </message>
    <message>
        <source>of it before the fork: {0}</source>
        <translation>çatallanmadan öncesi: {0}</translation>
    </message>
    <message>
        <source>Forked {0}</source>
        <translation>Çatallandı, {0}</translation>
    </message>
    <message>
        <source>Forked from: {0}</source>
        <translation>Çatallandığı oturum: {0}</translation>
    </message>
    <message>
        <source>Directory: {0}</source>
        <translation>Dizin: {0}</translation>
    </message>
    <message>
        <source>Written by: {0}</source>
        <translation>Yazan: {0}</translation>
    </message>
    <message>
        <source>{0} entr. · {1} br.</source>
        <translation>{0} kayıt · {1} dal</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>katlanmış</translation>
    </message>
    <message>
        <source>1 branch</source>
        <translation>1 dal</translation>
    </message>
    <message>
        <source>{0} branches</source>
        <translation>{0} dal</translation>
    </message>
    <message>
        <source>1 session</source>
        <translation>1 oturum</translation>
    </message>
    <message>
        <source>{0} sessions</source>
        <translation>{0} oturum</translation>
    </message>
    <message>
        <source>1 more hit</source>
        <translation>1 sonuç daha</translation>
    </message>
    <message>
        <source>{0} more hits</source>
        <translation>{0} sonuç daha</translation>
    </message>
    <message>
        <source>1 hit</source>
        <translation>1 sonuç</translation>
    </message>
    <message>
        <source>{0} hits</source>
        <translation>{0} sonuç</translation>
    </message>
    <message>
        <source>today</source>
        <translation>bugün</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>dün</translation>
    </message>
    <message>
        <source>{0} tokens</source>
        <translation>{0} token</translation>
    </message>
</context>
<context>
    <name>LibraryView</name>
    <message>
        <source>Library of sessions</source>
        <translation>Oturum kitaplığı</translation>
    </message>
</context>
<context>
    <name>ListEditor</name>
    <message>
        <source>Add a file…</source>
        <translation>Dosya ekle…</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Klasör ekle…</translation>
    </message>
    <message>
        <source>Python files (*.py)</source>
        <translation>Python dosyaları (*.py)</translation>
    </message>
</context>
<context>
    <name>LiveAnswer</name>
    <message>
        <source>Close</source>
        <translation>Kapat</translation>
    </message>
    <message>
        <source>Answer that is arriving</source>
        <translation>Gelmekte olan yanıt</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Open a session</source>
        <translation>Oturum aç</translation>
    </message>
    <message>
        <source>Sessions (*.jsonl)</source>
        <translation>Oturumlar (*.jsonl)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tüm dosyalar (*)</translation>
    </message>
    <message>
        <source>Opening {0}…</source>
        <translation>{0} açılıyor…</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Aç…</translation>
    </message>
    <message>
        <source>Open the &amp;demo</source>
        <translation>&amp;Örneği aç</translation>
    </message>
    <message>
        <source>&amp;Close session</source>
        <translation>Oturumu &amp;kapat</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Çık</translation>
    </message>
    <message>
        <source>&amp;Library</source>
        <translation>&amp;Kitaplık</translation>
    </message>
    <message>
        <source>Search &amp;all sessions</source>
        <translation>&amp;Tüm oturumlarda ara</translation>
    </message>
    <message>
        <source>&amp;Navigate to the selected entry…</source>
        <translation>Seçili kayda &amp;git…</translation>
    </message>
    <message>
        <source>&amp;Compact…</source>
        <translation>&amp;Sıkıştır…</translation>
    </message>
    <message>
        <source>&amp;Label the selected entry…</source>
        <translation>Seçili kaydı &amp;etiketle…</translation>
    </message>
    <message>
        <source>Na&amp;me…</source>
        <translation>&amp;Ad…</translation>
    </message>
    <message>
        <source>Set as &amp;resume point</source>
        <translation>Sü&amp;rdürme noktası yap</translation>
    </message>
    <message>
        <source>&amp;Prune tool outputs…</source>
        <translation>Araç çıktılarını &amp;buda…</translation>
    </message>
    <message>
        <source>&amp;Save a copy…</source>
        <translation>Ko&amp;pyasını kaydet…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Dışa aktar…</translation>
    </message>
    <message>
        <source>E&amp;xport this branch…</source>
        <translation>Bu da&amp;lı dışa aktar…</translation>
    </message>
    <message>
        <source>&amp;Event log</source>
        <translation>&amp;Olay günlüğü</translation>
    </message>
    <message>
        <source>S&amp;top what is running</source>
        <translation>Süren işlemi &amp;durdur</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Dosya</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Son kullanılanlar</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Git</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>Görünü&amp;m</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>&amp;Süzgeç</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>&amp;Renkler</translation>
    </message>
    <message>
        <source>&amp;Session</source>
        <translation>&amp;Oturum</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Yardım</translation>
    </message>
    <message>
        <source>&amp;Default: hide settings and labels</source>
        <translation>&amp;Varsayılan: ayarları ve etiketleri gizle</translation>
    </message>
    <message>
        <source>No &amp;tools</source>
        <translation>&amp;Araçsız</translation>
    </message>
    <message>
        <source>&amp;User messages only</source>
        <translation>Yalnızca &amp;kullanıcı iletileri</translation>
    </message>
    <message>
        <source>&amp;Labelled only</source>
        <translation>Yalnızca &amp;etiketliler</translation>
    </message>
    <message>
        <source>&amp;All entries</source>
        <translation>&amp;Tüm kayıtlar</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Açık</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Koyu</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>&amp;Yüksek karşıtlık</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>&amp;Sistemdeki gibi</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Araçlar</translation>
    </message>
    <message>
        <source>Go to leaf</source>
        <translation>Uca git</translation>
    </message>
    <message>
        <source>Navigate…</source>
        <translation>Git…</translation>
    </message>
    <message>
        <source>Default filter</source>
        <translation>Varsayılan süzgeç</translation>
    </message>
    <message>
        <source>No tools</source>
        <translation>Araçsız</translation>
    </message>
    <message>
        <source>User only</source>
        <translation>Yalnızca kullanıcı</translation>
    </message>
    <message>
        <source>Labelled only</source>
        <translation>Yalnızca etiketliler</translation>
    </message>
    <message>
        <source>All entries</source>
        <translation>Tüm kayıtlar</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Henüz yok</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Durduruluyor</translation>
    </message>
</context>
<context>
    <name>MapDock</name>
    <message>
        <source>Hide the map</source>
        <translation>Haritayı gizle</translation>
    </message>
</context>
<context>
    <name>MapView</name>
    <message>
        <source>Map of the session</source>
        <translation>Oturumun haritası</translation>
    </message>
    <message>
        <source>There is nothing to show yet.</source>
        <translation>Henüz gösterilecek bir şey yok.</translation>
    </message>
</context>
<context>
    <name>MapWords</name>
    <message>
        <source>Branches: {0}. Compactions: {1}. Arrow keys go from branch to branch, Home to the first entry, End to the current position, Enter to the tree; plus and minus zoom.</source>
        <translation>Dallar: {0}. Sıkıştırmalar: {1}. Ok tuşları daldan dala, Home ilk kayda, End geçerli konuma, Enter ağaca götürür; artı ve eksi yakınlaştırır ve uzaklaştırır.</translation>
    </message>
    <message>
        <source>{0} with all that follows</source>
        <translation>ardından gelenlerle {0}</translation>
    </message>
    <message>
        <source>{0} tokens</source>
        <translation>{0} token</translation>
    </message>
    <message>
        <source>the current position is in it</source>
        <translation>geçerli konum bunun içinde</translation>
    </message>
    <message>
        <source>begins with {0}</source>
        <translation>ilk kayıt: {0}</translation>
    </message>
    <message>
        <source>selected: {0}</source>
        <translation>seçili: {0}</translation>
    </message>
    <message>
        <source>entry {0} of {1}, {2}</source>
        <translation>kayıt {0} / {1}, {2}</translation>
    </message>
    <message>
        <source>branch {0}</source>
        <translation>dal {0}</translation>
    </message>
    <message>
        <source>active path</source>
        <translation>etkin yol</translation>
    </message>
    <message>
        <source>active path, part {0} of {1}</source>
        <translation>etkin yol, bölüm {0} / {1}</translation>
    </message>
    <message>
        <source>branch {0} of {1}, not on the active path</source>
        <translation>dal {0} / {1}, etkin yolda değil</translation>
    </message>
    <message>
        <source>starts at the root</source>
        <translation>kökten başlar</translation>
    </message>
    <message>
        <source>side branches at its end: {0}</source>
        <translation>sonundaki yan dallar: {0}</translation>
    </message>
    <message>
        <source>forks from {0} after {1}</source>
        <translation>çatallandığı yer: {0}, şu kayıttan sonra: {1}</translation>
    </message>
    <message>
        <source>nothing follows</source>
        <translation>ardından bir şey gelmez</translation>
    </message>
    <message>
        <source>{0} more</source>
        <translation>{0} tane daha</translation>
    </message>
    <message>
        <source>goes on in {0}</source>
        <translation>sürdüğü yer: {0}</translation>
    </message>
    <message>
        <source>compactions in it: {0}</source>
        <translation>içindeki sıkıştırmalar: {0}</translation>
    </message>
    <message>
        <source>holds a summary of {0}</source>
        <translation>içindeki özetin kaynağı: {0}</translation>
    </message>
    <message>
        <source>an entry</source>
        <translation>bir kayıt</translation>
    </message>
</context>
<context>
    <name>ModelEditor</name>
    <message>
        <source>model id</source>
        <translation>model kimliği</translation>
    </message>
    <message>
        <source>Get the list</source>
        <translation>Listeyi al</translation>
    </message>
    <message>
        <source>Ask the server which models it offers</source>
        <translation>Sunucuya hangi modelleri sunduğunu sor</translation>
    </message>
</context>
<context>
    <name>NavigateTab</name>
    <message>
        <source>Nothing selected</source>
        <translation>Seçim yok</translation>
    </message>
    <message>
        <source>Just go there · nothing is written</source>
        <translation>Yalnızca git · hiçbir şey yazılmaz</translation>
    </message>
    <message>
        <source>Summarise what I leave, then go</source>
        <translation>Ayrıldığım dalı özetle, sonra git</translation>
    </message>
    <message>
        <source>Summarise with instructions…</source>
        <translation>Yönergelerle özetle…</translation>
    </message>
    <message>
        <source>What the summary should pay attention to</source>
        <translation>Özetin neye dikkat edeceği</translation>
    </message>
    <message>
        <source>Instructions for the summary</source>
        <translation>Özet için yönergeler</translation>
    </message>
    <message>
        <source>in place of the built-in instructions</source>
        <translation>yerleşik yönergelerin yerine</translation>
    </message>
    <message>
        <source>Send what tools &amp;returned as well, shortened</source>
        <translation>Araçların &amp;döndürdüklerini de kısaltarak gönder</translation>
    </message>
    <message>
        <source>none</source>
        <translation>yok</translation>
    </message>
    <message>
        <source>&amp;Do it this way from now on</source>
        <translation>&amp;Bundan sonra da böyle yap</translation>
    </message>
    <message>
        <source>Without a question, until you change it in Settings, “Branch summaries”. This command always asks.</source>
        <translation>Ayarlar’da “Dal özetleri” sayfasında değiştirene kadar sorulmaz. Bu komut her zaman sorar.</translation>
    </message>
    <message>
        <source>&amp;Read it before it is saved</source>
        <translation>Kaydedilmeden önce &amp;oku</translation>
    </message>
    <message>
        <source>&amp;Label</source>
        <translation>&amp;Etiket</translation>
    </message>
    <message>
        <source>&amp;Written by</source>
        <translation>&amp;Yazan</translation>
    </message>
    <message>
        <source>PROMPT THAT WOULD BE SENT</source>
        <translation>GÖNDERİLECEK İSTEM</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>Git</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>isteğe bağlı</translation>
    </message>
    <message>
        <source>Select an entry to see what going there would do.</source>
        <translation>Oraya gitmenin ne yapacağını görmek için bir kayıt seçin.</translation>
    </message>
    <message>
        <source>You are here</source>
        <translation>Buradasınız</translation>
    </message>
    <message>
        <source>Go to “{0}”</source>
        <translation>“{0}” kaydına git</translation>
    </message>
    <message>
        <source>PROMPT FOR A MODEL</source>
        <translation>BİR MODEL İÇİN İSTEM</translation>
    </message>
    <message>
        <source>Summarise and go</source>
        <translation>Özetle ve git</translation>
    </message>
    <message>
        <source>Just go there · only the label is written</source>
        <translation>Yalnızca git · yalnız etiket yazılır</translation>
    </message>
    <message>
        <source>It continues the path you are on, so nothing is left behind.</source>
        <translation>Bulunduğunuz yolu sürdürüyor, geride bir şey kalmaz.</translation>
    </message>
    <message>
        <source>It is in another tree of this session, so the whole path is left.</source>
        <translation>Bu oturumun başka bir ağacında; yolun tümünden ayrılırsınız.</translation>
    </message>
    <message>
        <source>It is earlier on the path you are on.</source>
        <translation>Bulunduğunuz yolun daha başında.</translation>
    </message>
    <message>
        <source>It is on another branch.</source>
        <translation>Başka bir dalda.</translation>
    </message>
    <message>
        <source>Common ancestor</source>
        <translation>Ortak ata</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>yok</translation>
    </message>
    <message>
        <source>{0} tokens</source>
        <translation>{0} token</translation>
    </message>
    <message>
        <source>You leave behind</source>
        <translation>Geride bıraktığınız</translation>
    </message>
    <message>
        <source>nothing to summarise</source>
        <translation>özetlenecek bir şey yok</translation>
    </message>
    <message>
        <source>nothing · the digest reads all of it here</source>
        <translation>hiçbir şey · derleme tümünü burada okur</translation>
    </message>
    <message>
        <source>No model is asked. The digest also reads what tools returned.</source>
        <translation>Hiçbir modele sorulmaz. Derleme, araçların döndürdüklerini de okur.</translation>
    </message>
    <message>
        <source>1 message · {0} tokens</source>
        <translation>1 ileti · {0} token</translation>
    </message>
    <message>
        <source>{0} messages · {1} tokens</source>
        <translation>{0} ileti · {1} token</translation>
    </message>
    <message>
        <source>{0} older entries do not fit</source>
        <translation>daha eski {0} kayıt sığmıyor</translation>
    </message>
    <message>
        <source>1 older entry does not fit</source>
        <translation>1 eski kayıt sığmıyor</translation>
    </message>
    <message>
        <source>Sent to the summariser</source>
        <translation>Özetleyiciye gönderilen</translation>
    </message>
    <message>
        <source>All of it stands in the prompt below. The calls of tools are in; what they returned is in only when you say so, since both agents leave it out.</source>
        <translation>Hepsi aşağıdaki istemde yazıyor. Araç çağrıları içinde; döndürdükleri ise iki ajan da dışarıda bıraktığı için yalnızca siz isterseniz eklenir.</translation>
    </message>
    <message>
        <source>its parent; its text goes to the composer</source>
        <translation>üst kaydı; metni ileti kutusuna gider</translation>
    </message>
    <message>
        <source>before the first entry; its text goes to the composer</source>
        <translation>ilk kaydın öncesi; metni ileti kutusuna gider</translation>
    </message>
    <message>
        <source>this entry</source>
        <translation>bu kayıt</translation>
    </message>
    <message>
        <source>You land on</source>
        <translation>Varacağınız yer</translation>
    </message>
</context>
<context>
    <name>NavigationControl</name>
    <message>
        <source>You are already there.</source>
        <translation>Zaten oradasınız.</translation>
    </message>
    <message>
        <source>Summarising the branch</source>
        <translation>Dal özetleniyor</translation>
    </message>
    <message>
        <source>Going there</source>
        <translation>Oraya gidiliyor</translation>
    </message>
    <message>
        <source>An extension cancelled the move. Nothing was written, and you are where you were.</source>
        <translation>Bir uzantı gidişi iptal etti. Hiçbir şey yazılmadı, bulunduğunuz yerdesiniz.</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Dismiss</source>
        <translation>Kapat</translation>
    </message>
</context>
<context>
    <name>NumberEditor</name>
    <message>
        <source>Write a number, or “{0}”.</source>
        <translation>Bir sayı ya da “{0}” yazın.</translation>
    </message>
</context>
<context>
    <name>PageView</name>
    <message>
        <source>{0} more characters: show more</source>
        <translation>{0} karakter daha: devamını göster</translation>
    </message>
    <message>
        <source>image: {0}</source>
        <translation>resim: {0}</translation>
    </message>
    <message>
        <source>{0}: it is being read</source>
        <translation>{0}: okunuyor</translation>
    </message>
</context>
<context>
    <name>ProblemList</name>
    <message>
        <source>Problems in the file</source>
        <translation>Dosyadaki sorunlar</translation>
    </message>
</context>
<context>
    <name>ProblemModel</name>
    <message>
        <source>It was left out.</source>
        <translation>Dışarıda bırakıldı.</translation>
    </message>
    <message>
        <source>What was found is shown.</source>
        <translation>Bulunanlar gösteriliyor.</translation>
    </message>
    <message>
        <source>This was skipped.</source>
        <translation>Burası atlandı.</translation>
    </message>
    <message>
        <source>It was left out; the line can be read here.</source>
        <translation>Dışarıda bırakıldı; satır burada okunabilir.</translation>
    </message>
    <message>
        <source>It is shown as soon as it is complete.</source>
        <translation>Tamamlanır tamamlanmaz gösterilir.</translation>
    </message>
    <message>
        <source>It can be read here; if it says something else, a repaired copy keeps it under a new id.</source>
        <translation>Burada okunabilir; başka bir şey söylüyorsa onarılmış kopya onu yeni bir kimlikle saklar.</translation>
    </message>
    <message>
        <source>It is read by the rules of the agent with more marks.</source>
        <translation>İzi daha çok olan ajanın kurallarıyla okunuyor.</translation>
    </message>
    <message>
        <source>Line {0}, byte {1}: {2}</source>
        <translation>Satır {0}, bayt {1}: {2}</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Satır</translation>
    </message>
    <message>
        <source>Byte</source>
        <translation>Bayt</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Bulunanlar</translation>
    </message>
</context>
<context>
    <name>ProblemsTab</name>
    <message>
        <source>&amp;Go to the entry</source>
        <translation>Kayda &amp;git</translation>
    </message>
    <message>
        <source>Select the entry that stands there, or the one before</source>
        <translation>Orada duran kaydı ya da ondan öncekini seç</translation>
    </message>
    <message>
        <source>Cop&amp;y</source>
        <translation>Kop&amp;yala</translation>
    </message>
    <message>
        <source>Copy the selected problems; all, where one alone is selected</source>
        <translation>Seçili sorunları kopyala; tek bir sorun seçiliyse hepsini</translation>
    </message>
    <message>
        <source>Save a &amp;repaired copy…</source>
        <translation>Ona&amp;rılmış kopya kaydet…</translation>
    </message>
    <message>
        <source>Write a clean file beside this one; the original stays as it is</source>
        <translation>Bunun yanına temiz bir dosya yaz; özgün dosya olduğu gibi kalır</translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation>1 sorun</translation>
    </message>
    <message>
        <source>{0} problems</source>
        <translation>{0} sorun</translation>
    </message>
    <message>
        <source>All other entries are shown. The file itself was not changed.</source>
        <translation>Öbür kayıtların tümü gösteriliyor. Dosyanın kendisi değiştirilmedi.</translation>
    </message>
    <message>
        <source>The line was copied.</source>
        <translation>Satır kopyalandı.</translation>
    </message>
    <message>
        <source>1 problem was copied.</source>
        <translation>1 sorun kopyalandı.</translation>
    </message>
    <message>
        <source>{0} problems were copied.</source>
        <translation>{0} sorun kopyalandı.</translation>
    </message>
    <message>
        <source>The line as it stands in the file</source>
        <translation>Dosyada durduğu haliyle satır</translation>
    </message>
    <message>
        <source>Copy the &amp;line</source>
        <translation>Satırı kopya&amp;la</translation>
    </message>
    <message>
        <source>Copy all of the line that is shown, as it stands in the file</source>
        <translation>Gösterilen satırın tamamını dosyada durduğu haliyle kopyala</translation>
    </message>
    <message>
        <source>Save a repaired copy</source>
        <translation>Onarılmış kopya kaydet</translation>
    </message>
</context>
<context>
    <name>PromptParts</name>
    <message>
        <source>Parts of the prompt</source>
        <translation>İstemin bölümleri</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>İleti</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Sistem istemi</translation>
    </message>
    <message>
        <source>The offline digest needs no prompt: it reads the entries here. This is what a model would be sent.</source>
        <translation>Çevrimdışı derleme istem gerektirmez: kayıtları burada okur. Bu, bir modele gönderilecek olandır.</translation>
    </message>
    <message>
        <source>A model is sent both parts, just as they stand here.</source>
        <translation>Modele iki bölüm de tam burada durduğu gibi gönderilir.</translation>
    </message>
</context>
<context>
    <name>PruneControl</name>
    <message>
        <source>Pruning</source>
        <translation>Budanıyor</translation>
    </message>
    <message>
        <source>Something else is running. Stop it first, or wait for it.</source>
        <translation>Başka bir işlem sürüyor. Önce onu durdurun ya da bitmesini bekleyin.</translation>
    </message>
    <message>
        <source> The file as it was: {0}</source>
        <translation> Dosyanın eski hâli: {0}</translation>
    </message>
    <message>
        <source> To undo it, go to the entry before the new ones.</source>
        <translation> Geri almak için yeni kayıtlardan öncekine gidin.</translation>
    </message>
</context>
<context>
    <name>PruneDialog</name>
    <message>
        <source>Prune tool outputs</source>
        <translation>Araç çıktılarını buda</translation>
    </message>
    <message>
        <source>&amp;Prune</source>
        <translation>&amp;Buda</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Kapat</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>İptal</translation>
    </message>
    <message>
        <source>{0} tool outputs give way to a notice, about {1} tokens are saved</source>
        <translation>{0} araç çıktısının yerini bir not alır, yaklaşık {1} token kazanılır</translation>
    </message>
    <message>
        <source>Nothing to prune</source>
        <translation>Budanacak bir şey yok</translation>
    </message>
    <message>
        <source>The newest {0} tokens of tool outputs stay, and so do the outputs of {1}; less than {2} tokens in all are not worth it. The settings hold these numbers.</source>
        <translation>Araç çıktılarının en yeni {0} token’ı ve {1} çıktıları kalır; toplamda {2} token’dan azı için değmez. Bu sayılar ayarlardadır.</translation>
    </message>
    <message>
        <source>no tool</source>
        <translation>hiçbir araç</translation>
    </message>
    <message>
        <source>The file is rewritten in one step. It is kept as it was beside the new one, with the ending .bak.</source>
        <translation>Dosya tek adımda yeniden yazılır. Eski hâli, yenisinin yanında .bak uzantısıyla saklanır.</translation>
    </message>
    <message>
        <source>Nothing is rewritten: one context edit for each output is appended, and the model sees the notice instead.</source>
        <translation>Hiçbir şey yeniden yazılmaz: her çıktı için bir bağlam düzenlemesi eklenir ve model onun yerine notu görür.</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Araç</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>Kayıt</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Saves</source>
        <translation>Kazanç</translation>
    </message>
    <message>
        <source>Tool outputs that are pruned</source>
        <translation>Budanan araç çıktıları</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Alt</source>
        <translation>Alt</translation>
    </message>
    <message>
        <source>Ctrl</source>
        <translation>Ctrl</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Del</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Aşağı</translation>
    </message>
    <message>
        <source>End</source>
        <translation>End</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Home</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Sol</translation>
    </message>
    <message>
        <source>PgDown</source>
        <translation>PgDn</translation>
    </message>
    <message>
        <source>PgUp</source>
        <translation>PgUp</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Sağ</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Shift</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>Tab</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Yukarı</translation>
    </message>
</context>
<context>
    <name>ReviewDialog</name>
    <message>
        <source>Read before it is saved</source>
        <translation>Kaydedilmeden önce oku</translation>
    </message>
    <message>
        <source>The summary, before it is saved</source>
        <translation>Kaydedilmeden önce özet</translation>
    </message>
    <message>
        <source>Written by {0}. What you save becomes one entry at the end of the file.</source>
        <translation>Yazan: {0}. Kaydettiğiniz metin dosyanın sonunda tek bir kayıt olur.</translation>
    </message>
    <message>
        <source>Text of the summary</source>
        <translation>Özetin metni</translation>
    </message>
    <message>
        <source>Sections of the summary</source>
        <translation>Özetin bölümleri</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Kaydet</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>&amp;At</translation>
    </message>
    <message>
        <source>Undo my changes</source>
        <translation>Değişikliklerimi geri al</translation>
    </message>
    <message>
        <source>TEXT</source>
        <translation>METİN</translation>
    </message>
    <message>
        <source>SECTIONS</source>
        <translation>BÖLÜMLER</translation>
    </message>
    <message>
        <source>Esc stops · nothing has been written yet</source>
        <translation>Esc durdurur · henüz hiçbir şey yazılmadı</translation>
    </message>
    <message>
        <source>Too long a line to edit here; it is saved whole.</source>
        <translation>Burada düzenlenemeyecek kadar uzun bir satır; tümüyle kaydedilir.</translation>
    </message>
    <message>
        <source>An empty summary is not saved.</source>
        <translation>Boş özet kaydedilmez.</translation>
    </message>
    <message>
        <source>Changed by you</source>
        <translation>Siz değiştirdiniz</translation>
    </message>
</context>
<context>
    <name>RowContent</name>
    <message>
        <source>{0} tokens</source>
        <translation>{0} token</translation>
    </message>
    <message>
        <source>1 other branch</source>
        <translation>1 başka dal</translation>
    </message>
    <message>
        <source>{0} other branches</source>
        <translation>{0} başka dal</translation>
    </message>
    <message>
        <source>{0} up to here</source>
        <translation>buraya dek {0}</translation>
    </message>
    <message>
        <source>becomes part of the history summary</source>
        <translation>geçmiş özetinin parçası olacak</translation>
    </message>
    <message>
        <source>becomes part of the turn prefix summary</source>
        <translation>tur başı özetinin parçası olacak</translation>
    </message>
    <message>
        <source>kept word for word</source>
        <translation>sözcüğü sözcüğüne korunur</translation>
    </message>
    <message>
        <source>level {0}</source>
        <translation>düzey {0}</translation>
    </message>
    <message>
        <source>current position</source>
        <translation>geçerli konum</translation>
    </message>
    <message>
        <source>on the active path</source>
        <translation>etkin yolda</translation>
    </message>
    <message>
        <source>label {0}</source>
        <translation>etiket {0}</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>başarısız</translation>
    </message>
    <message>
        <source>matches the search</source>
        <translation>aramayla eşleşiyor</translation>
    </message>
    <message>
        <source>branch of {0}</source>
        <translation>{0} içeren dal</translation>
    </message>
    <message>
        <source>the cut is before this entry</source>
        <translation>kesim bu kaydın önünde</translation>
    </message>
    <message>
        <source>matches the search: {0}</source>
        <translation>aramayla eşleşiyor: {0}</translation>
    </message>
    <message>
        <source>in the history summary</source>
        <translation>geçmiş özetinde</translation>
    </message>
    <message>
        <source>in the turn prefix summary</source>
        <translation>tur başı özetinde</translation>
    </message>
    <message>
        <source>kept by the compaction</source>
        <translation>sıkıştırmanın koruduğu</translation>
    </message>
    <message>
        <source>current is below ↓</source>
        <translation>geçerli olan aşağıda ↓</translation>
    </message>
    <message>
        <source>current</source>
        <translation>geçerli</translation>
    </message>
    <message>
        <source>the current position is below, hidden by the filter</source>
        <translation>geçerli konum aşağıda, süzgeçle gizli</translation>
    </message>
    <message>
        <source>cut of the latest compaction</source>
        <translation>son sıkıştırmanın kesimi</translation>
    </message>
    <message>
        <source>cut of this compaction</source>
        <translation>bu sıkıştırmanın kesimi</translation>
    </message>
    <message>
        <source>the cut of the latest compaction is before this entry</source>
        <translation>son sıkıştırmanın kesimi bu kaydın önünde</translation>
    </message>
    <message>
        <source>the cut of the selected compaction is before this entry</source>
        <translation>seçili sıkıştırmanın kesimi bu kaydın önünde</translation>
    </message>
    <message>
        <source>user</source>
        <translation>kullanıcı</translation>
    </message>
    <message>
        <source>assistant</source>
        <translation>asistan</translation>
    </message>
    <message>
        <source>system</source>
        <translation>sistem</translation>
    </message>
    <message>
        <source>compaction</source>
        <translation>sıkıştırma</translation>
    </message>
    <message>
        <source>branch summary</source>
        <translation>dal özeti</translation>
    </message>
    <message>
        <source>summary</source>
        <translation>özet</translation>
    </message>
    <message>
        <source>note</source>
        <translation>not</translation>
    </message>
    <message>
        <source>files</source>
        <translation>dosyalar</translation>
    </message>
    <message>
        <source>label</source>
        <translation>etiket</translation>
    </message>
    <message>
        <source>model</source>
        <translation>model</translation>
    </message>
    <message>
        <source>thinking</source>
        <translation>düşünme</translation>
    </message>
    <message>
        <source>name</source>
        <translation>ad</translation>
    </message>
    <message>
        <source>state</source>
        <translation>durum</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>kip</translation>
    </message>
    <message>
        <source>title</source>
        <translation>başlık</translation>
    </message>
    <message>
        <source>edit</source>
        <translation>düzenleme</translation>
    </message>
    <message>
        <source>1 entry</source>
        <translation>1 kayıt</translation>
    </message>
    <message>
        <source>{0} entries</source>
        <translation>{0} kayıt</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 ileti</translation>
    </message>
    <message>
        <source>{0} messages</source>
        <translation>{0} ileti</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 eşleşme</translation>
    </message>
    <message>
        <source>{0} matches</source>
        <translation>{0} eşleşme</translation>
    </message>
</context>
<context>
    <name>RunningFooter</name>
    <message>
        <source>Stop</source>
        <translation>Durdur</translation>
    </message>
    <message>
        <source>Try again with twice the room</source>
        <translation>İki kat yerle yeniden dene</translation>
    </message>
    <message>
        <source>or press Esc · nothing has been written yet</source>
        <translation>ya da Esc’e basın · henüz hiçbir şey yazılmadı</translation>
    </message>
</context>
<context>
    <name>SearchBar</name>
    <message>
        <source>Find in all text, tool output too</source>
        <translation>Araç çıktıları dahil tüm metinde bul</translation>
    </message>
    <message>
        <source>Search in this session</source>
        <translation>Bu oturumda ara</translation>
    </message>
    <message>
        <source>All words must occur, in any order. Enter goes to the next match.</source>
        <translation>Tüm sözcükler, herhangi bir sırayla geçmelidir. Enter sonraki eşleşmeye gider.</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Temizle</translation>
    </message>
    <message>
        <source>Hidden by the filter</source>
        <translation>Süzgecin gizledikleri</translation>
    </message>
    <message>
        <source>The filter hides them; show all entries</source>
        <translation>Süzgeç bunları gizliyor; tüm kayıtları göster</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Önceki eşleşme</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Sonraki eşleşme</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>Aramayı kapat</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>Eşleşme yok</translation>
    </message>
    <message>
        <source>{0} · {1} %</source>
        <translation>{0} · %{1}</translation>
    </message>
    <message>
        <source>{0} hidden by the filter</source>
        <translation>süzgecin gizlediği: {0}</translation>
    </message>
    <message>
        <source>{0} hidden</source>
        <translation>gizli: {0}</translation>
    </message>
</context>
<context>
    <name>SearchControl</name>
    <message>
        <source>Type what to look for first.</source>
        <translation>Önce ne aranacağını yazın.</translation>
    </message>
    <message>
        <source>The search went on from the top.</source>
        <translation>Arama en baştan sürdü.</translation>
    </message>
    <message>
        <source>The search went on from the bottom.</source>
        <translation>Arama en sondan sürdü.</translation>
    </message>
    <message>
        <source>All matches are hidden by the filter.</source>
        <translation>Tüm eşleşmeler süzgeçle gizli.</translation>
    </message>
    <message>
        <source>There is no match.</source>
        <translation>Eşleşme yok.</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Search all sessions</source>
        <translation>Tüm oturumlarda ara</translation>
    </message>
</context>
<context>
    <name>SecretsDialog</name>
    <message>
        <source>Likely secrets</source>
        <translation>Olası gizli bilgiler</translation>
    </message>
    <message>
        <source>What looks like a secret would be sent to {0}</source>
        <translation>Gizli bilgiye benzeyen bir şey {0} adresine gönderilecek</translation>
    </message>
    <message>
        <source>{1} likely secrets would be sent to {0}</source>
        <translation>{1} olası gizli bilgi {0} adresine gönderilecek</translation>
    </message>
    <message>
        <source>Masked, each is replaced by a note of its kind. The session file stays as it is. Your answer holds for {0} until the session is closed.</source>
        <translation>Maskelenirse her birinin yerine türünü belirten bir not konur. Oturum dosyası olduğu gibi kalır. Yanıtınız {0} için oturum kapanana dek geçerlidir.</translation>
    </message>
    <message>
        <source>&amp;Mask and send</source>
        <translation>&amp;Maskele ve gönder</translation>
    </message>
    <message>
        <source>&amp;Send as it is</source>
        <translation>&amp;Olduğu gibi gönder</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>&amp;Durdur</translation>
    </message>
    <message>
        <source>Esc stops · nothing has been sent</source>
        <translation>Esc durdurur · hiçbir şey gönderilmedi</translation>
    </message>
    <message>
        <source>no entry of the session</source>
        <translation>oturumun hiçbir kaydında değil</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Tür</translation>
    </message>
    <message>
        <source>Begins with</source>
        <translation>Başlangıcı</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Kez</translation>
    </message>
    <message>
        <source>Stands in</source>
        <translation>Durduğu yer</translation>
    </message>
</context>
<context>
    <name>Sentences</name>
    <message>
        <source>(empty)</source>
        <translation>(boş)</translation>
    </message>
    <message>
        <source>(no arguments)</source>
        <translation>(argüman yok)</translation>
    </message>
    <message>
        <source>(no standard meaning)</source>
        <translation>(standart bir anlamı yok)</translation>
    </message>
    <message>
        <source>(overloaded)</source>
        <translation>(aşırı yüklü)</translation>
    </message>
    <message>
        <source>1 NUL byte stands here, as a crash leaves it.</source>
        <translation>Burada, bir çökmenin bıraktığı türden 1 NUL baytı var.</translation>
    </message>
    <message>
        <source>A compaction or navigation is already running in this session. Stop it or wait for it.</source>
        <translation>Bu oturumda zaten bir sıkıştırma ya da gezinme sürüyor. Onu durdurun ya da bitmesini bekleyin.</translation>
    </message>
    <message>
        <source>A context edit needs text or blocks as content, or nothing at all.</source>
        <translation>Bir bağlam düzenlemesinin içeriği metin ya da bloklar olmalı veya hiç olmamalıdır.</translation>
    </message>
    <message>
        <source>A part of this line cannot be read.</source>
        <translation>Bu satırın bir bölümü okunamıyor.</translation>
    </message>
    <message>
        <source>A second session header; it is ignored.</source>
        <translation>İkinci bir oturum başlığı; yok sayılıyor.</translation>
    </message>
    <message>
        <source>A session header without an id; it is ignored.</source>
        <translation>Kimliği olmayan bir oturum başlığı; yok sayılıyor.</translation>
    </message>
    <message>
        <source>AWS access key</source>
        <translation>AWS erişim anahtarı</translation>
    </message>
    <message>
        <source>An address must not contain a user name or password; keys belong in the key field.</source>
        <translation>Adres kullanıcı adı ya da parola içeremez; anahtarlar anahtar alanına yazılır.</translation>
    </message>
    <message>
        <source>An unexpected {0}; see the log.</source>
        <translation>Beklenmeyen bir {0}; ayrıntılar günlükte.</translation>
    </message>
    <message>
        <source>Another program changed the file at the same moment; nothing was replaced.</source>
        <translation>Aynı anda başka bir program dosyayı değiştirdi; hiçbir şeyin yerine yenisi konmadı.</translation>
    </message>
    <message>
        <source>Another program rewrote the file; it was read again.</source>
        <translation>Başka bir program dosyayı yeniden yazdı; dosya yeniden okundu.</translation>
    </message>
    <message>
        <source>Another program rewrote the session meanwhile, so nothing was exported. Export it again.</source>
        <translation>Bu sırada başka bir program oturumu yeniden yazdı; bu yüzden hiçbir şey dışa aktarılmadı. Yeniden dışa aktarın.</translation>
    </message>
    <message>
        <source>Another program shortened the file; it was read again.</source>
        <translation>Başka bir program dosyayı kısalttı; dosya yeniden okundu.</translation>
    </message>
    <message>
        <source>Another program went on from this place meanwhile, so nothing was saved: what it wrote would be left on a branch that no agent resumes at.</source>
        <translation>Bu arada başka bir program buradan devam etti, bu yüzden hiçbir şey kaydedilmedi: yazdıkları, hiçbir ajanın kaldığı yer olarak almadığı bir dalda kalırdı.</translation>
    </message>
    <message>
        <source>Another window of this program has changed this session and still has it open. Close it there to make changes here.</source>
        <translation>Bu programın başka bir penceresi bu oturumu değiştirdi ve hâlâ açık tutuyor. Burada değişiklik yapmak için onu orada kapatın.</translation>
    </message>
    <message>
        <source>Another window of this program works on this session, so it was not moved. Close it there first.</source>
        <translation>Bu programın başka bir penceresi bu oturum üzerinde çalışıyor, bu yüzden taşınmadı. Önce onu orada kapatın.</translation>
    </message>
    <message>
        <source>Anthropic key</source>
        <translation>Anthropic anahtarı</translation>
    </message>
    <message>
        <source>Asking the extensions</source>
        <translation>Uzantılara soruluyor</translation>
    </message>
    <message>
        <source>Auto-compaction failed: {0}</source>
        <translation>Otomatik sıkıştırma başarısız oldu: {0}</translation>
    </message>
    <message>
        <source>Bad file descriptor</source>
        <translation>Geçersiz dosya tanıtıcısı</translation>
    </message>
    <message>
        <source>Both agents seem to have written this file (marks of OMP: {0}, of Pi: {1}).</source>
        <translation>Bu dosyayı iki ajan da yazmış görünüyor (OMP izi: {0}, Pi izi: {1}).</translation>
    </message>
    <message>
        <source>Call of a tool</source>
        <translation>Bir araç çağrısı</translation>
    </message>
    <message>
        <source>Call of {0}</source>
        <translation>{0} çağrısı</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>Bellek ayrılamıyor</translation>
    </message>
    <message>
        <source>Check the account of this provider.</source>
        <translation>Bu sağlayıcıdaki hesabınızı denetleyin.</translation>
    </message>
    <message>
        <source>Check the address and the model id in the settings.</source>
        <translation>Ayarlardaki adresi ve model kimliğini denetleyin.</translation>
    </message>
    <message>
        <source>Check the key in the settings.</source>
        <translation>Ayarlardaki anahtarı denetleyin.</translation>
    </message>
    <message>
        <source>Choose a model first.</source>
        <translation>Önce bir model seçin.</translation>
    </message>
    <message>
        <source>Choose a provider first.</source>
        <translation>Önce bir sağlayıcı seçin.</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Kod</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Komut</translation>
    </message>
    <message>
        <source>Compaction failed: {0}</source>
        <translation>Sıkıştırma başarısız oldu: {0}</translation>
    </message>
    <message>
        <source>Context overflow recovery failed: {0}</source>
        <translation>Bağlam taşması giderilemedi: {0}</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Ayrıntılar</translation>
    </message>
    <message>
        <source>Device or resource busy</source>
        <translation>Aygıt ya da kaynak meşgul</translation>
    </message>
    <message>
        <source>Directory not empty</source>
        <translation>Dizin boş değil</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Hata</translation>
    </message>
    <message>
        <source>Exit code</source>
        <translation>Çıkış kodu</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>Dosya zaten var</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>Dosya adı çok uzun</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>Dosya çok büyük</translation>
    </message>
    <message>
        <source>Files modified</source>
        <translation>Değiştirilen dosyalar</translation>
    </message>
    <message>
        <source>Files read</source>
        <translation>Okunan dosyalar</translation>
    </message>
    <message>
        <source>GitHub token</source>
        <translation>GitHub erişim belirteci</translation>
    </message>
    <message>
        <source>GitLab token</source>
        <translation>GitLab erişim belirteci</translation>
    </message>
    <message>
        <source>Google API key</source>
        <translation>Google API anahtarı</translation>
    </message>
    <message>
        <source>Google OAuth secret</source>
        <translation>Google OAuth gizli anahtarı</translation>
    </message>
    <message>
        <source>Groq key</source>
        <translation>Groq anahtarı</translation>
    </message>
    <message>
        <source>Hugging Face token</source>
        <translation>Hugging Face erişim belirteci</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Görsel</translation>
    </message>
    <message>
        <source>In short</source>
        <translation>Kısaca</translation>
    </message>
    <message>
        <source>Input should be a list</source>
        <translation>Bir liste olmalı</translation>
    </message>
    <message>
        <source>Input should be a number</source>
        <translation>Bir sayı olmalı</translation>
    </message>
    <message>
        <source>Input should be a text</source>
        <translation>Bir metin olmalı</translation>
    </message>
    <message>
        <source>Input should be a whole number</source>
        <translation>Bir tam sayı olmalı</translation>
    </message>
    <message>
        <source>Input should be an absolute http or https address</source>
        <translation>Tam bir http ya da https adresi olmalı</translation>
    </message>
    <message>
        <source>Input should be an object</source>
        <translation>Bir nesne olmalı</translation>
    </message>
    <message>
        <source>Input should be greater than or equal to {0}</source>
        <translation>En az {0} olmalı</translation>
    </message>
    <message>
        <source>Input should be less than or equal to {0}</source>
        <translation>En çok {0} olmalı</translation>
    </message>
    <message>
        <source>Input should be true or false</source>
        <translation>true ya da false olmalı</translation>
    </message>
    <message>
        <source>Input should be {0}</source>
        <translation>{0} olmalı</translation>
    </message>
    <message>
        <source>Input should not be empty</source>
        <translation>Boş olmamalı</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>Girdi/çıktı hatası</translation>
    </message>
    <message>
        <source>Invalid argument</source>
        <translation>Geçersiz bağımsız değişken</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>Bu bir dizin</translation>
    </message>
    <message>
        <source>It failed unexpectedly; see the log.</source>
        <translation>Beklenmedik biçimde başarısız oldu; ayrıntılar günlükte.</translation>
    </message>
    <message>
        <source>JSON web token</source>
        <translation>JSON web belirteci</translation>
    </message>
    <message>
        <source>No entry has the id {0}; this is the context of the last entry.</source>
        <translation>Kimliği {0} olan bir kayıt yok; bu, son kaydın bağlamı.</translation>
    </message>
    <message>
        <source>No model is available for compaction: none that the settings name has a key.</source>
        <translation>Sıkıştırma için kullanılabilecek model yok: ayarlarda adı geçenlerin hiçbirinin anahtarı yok.</translation>
    </message>
    <message>
        <source>No model is configured. Set one up in the settings.</source>
        <translation>Kurulmuş bir model yok. Ayarlarda bir tane kurun.</translation>
    </message>
    <message>
        <source>No model is set up yet. Choose one in the settings; your text stays in the composer.</source>
        <translation>Henüz bir model kurulmadı. Ayarlardan birini seçin; metniniz ileti kutusunda kalır.</translation>
    </message>
    <message>
        <source>No setting has this name.</source>
        <translation>Bu adda bir ayar yok.</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>Aygıtta boş yer kalmadı</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>Böyle bir dosya ya da dizin yok</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>Bu bir dizin değil</translation>
    </message>
    <message>
        <source>Nothing was saved: {0}.</source>
        <translation>Hiçbir şey kaydedilmedi: {0}.</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>Hiçbir şey yazılmadı.</translation>
    </message>
    <message>
        <source>Offline digest</source>
        <translation>Çevrimdışı derleme</translation>
    </message>
    <message>
        <source>Old tool outputs were not pruned: {0}</source>
        <translation>Eski araç çıktıları budanmadı: {0}</translation>
    </message>
    <message>
        <source>Only entries with a type and an id can be appended.</source>
        <translation>Yalnızca türü ve kimliği olan kayıtlar eklenebilir.</translation>
    </message>
    <message>
        <source>OpenAI key</source>
        <translation>OpenAI anahtarı</translation>
    </message>
    <message>
        <source>OpenRouter key</source>
        <translation>OpenRouter anahtarı</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>İşleme izin verilmiyor</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Çıktı</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>Erişim izni yok</translation>
    </message>
    <message>
        <source>PyPI token</source>
        <translation>PyPI erişim belirteci</translation>
    </message>
    <message>
        <source>Quotations and counts from the entries, made without a model. Nothing leaves this machine.</source>
        <translation>Model kullanmadan, kayıtlardan alınan alıntılar ve sayımlar. Bu makineden dışarı hiçbir şey çıkmaz.</translation>
    </message>
    <message>
        <source>Raise the reserve (compaction.reserveTokens, branchSummary.reserveTokens) or choose a model with a larger output limit.</source>
        <translation>Yedek payı artırın (compaction.reserveTokens, branchSummary.reserveTokens) ya da çıktı sınırı daha büyük bir model seçin.</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>Salt okunur dosya sistemi</translation>
    </message>
    <message>
        <source>Reading 1 message</source>
        <translation>1 ileti okunuyor</translation>
    </message>
    <message>
        <source>Reading {0} messages</source>
        <translation>{0} ileti okunuyor</translation>
    </message>
    <message>
        <source>Remote endpoint ({0})</source>
        <translation>Uzak uç nokta ({0})</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Sonuç</translation>
    </message>
    <message>
        <source>SendGrid key</source>
        <translation>SendGrid anahtarı</translation>
    </message>
    <message>
        <source>Sending {0} tokens to {1}</source>
        <translation>{1} adresine {0} token gönderiliyor</translation>
    </message>
    <message>
        <source>Sends the prompt to {0}.</source>
        <translation>İstemi {0} adresine gönderir.</translation>
    </message>
    <message>
        <source>Sends the prompts of a compaction to {0}.</source>
        <translation>Sıkıştırmanın istemlerini {0} adresine gönderir.</translation>
    </message>
    <message>
        <source>Slack token</source>
        <translation>Slack erişim belirteci</translation>
    </message>
    <message>
        <source>Slack webhook</source>
        <translation>Slack web kancası</translation>
    </message>
    <message>
        <source>Stripe key</source>
        <translation>Stripe anahtarı</translation>
    </message>
    <message>
        <source>Summarise less at once, or choose a model with a larger context window.</source>
        <translation>Bir kerede daha azını özetleyin ya da bağlam penceresi daha büyük bir model seçin.</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Özet</translation>
    </message>
    <message>
        <source>Telegram bot token</source>
        <translation>Telegram bot belirteci</translation>
    </message>
    <message>
        <source>The compaction names a kept boundary that is not on this branch; nothing before it is kept.</source>
        <translation>Sıkıştırma, bu dalda olmayan bir korunan sınır gösteriyor; ondan öncesi korunmuyor.</translation>
    </message>
    <message>
        <source>The compaction strategy “handoff” is not supported; sessions are compacted with a summary instead.</source>
        <translation>“handoff” sıkıştırma stratejisi desteklenmiyor; oturumlar bunun yerine bir özetle sıkıştırılıyor.</translation>
    </message>
    <message>
        <source>The connection to {0} broke off ({1}).</source>
        <translation>{0} ile bağlantı koptu ({1}).</translation>
    </message>
    <message>
        <source>The context is still above the threshold after the compaction.</source>
        <translation>Bağlam, sıkıştırmadan sonra da eşiğin üstünde.</translation>
    </message>
    <message>
        <source>The context window of {0} tokens is not larger than branchSummary.reserveTokens ({1}).</source>
        <translation>{0} tokenlık bağlam penceresi branchSummary.reserveTokens ({1}) değerinden büyük değil.</translation>
    </message>
    <message>
        <source>The damaged index of the library cannot be replaced: {0}.</source>
        <translation>Kitaplığın bozuk dizininin yerine yenisi konamıyor: {0}.</translation>
    </message>
    <message>
        <source>The entry names itself as its parent; it is a root.</source>
        <translation>Kayıt, üst kayıt olarak kendisini gösteriyor; kök sayılıyor.</translation>
    </message>
    <message>
        <source>The entry was written, but something else is in its place now.</source>
        <translation>Kayıt yazıldı, ama şimdi yerinde başka bir şey var.</translation>
    </message>
    <message>
        <source>The entry {0} has no content that can be edited.</source>
        <translation>{0} kaydının düzenlenebilecek bir içeriği yok.</translation>
    </message>
    <message>
        <source>The entry {0} is no longer what it was; nothing was replaced.</source>
        <translation>{0} kaydı artık eskisi gibi değil; hiçbir şeyin yerine yenisi konmadı.</translation>
    </message>
    <message>
        <source>The entry {0} is not on the active branch.</source>
        <translation>{0} kaydı etkin dalda değil.</translation>
    </message>
    <message>
        <source>The entry {0}, behind which this belongs, is not in the file any more.</source>
        <translation>Bunun arkasına yazılacağı {0} kaydı artık dosyada değil.</translation>
    </message>
    <message>
        <source>The export would hold what looks like secrets ({0}; in {1}); nothing was written.</source>
        <translation>Dışa aktarılan dosyada gizli bilgiye benzeyen şeyler olurdu ({0}; yeri: {1}); hiçbir şey yazılmadı.</translation>
    </message>
    <message>
        <source>The extension {0} didn&apos;t return within {1} seconds (in {2}).</source>
        <translation>{0} uzantısı {1} saniye içinde dönmedi ({2} sırasında).</translation>
    </message>
    <message>
        <source>The extension {0} failed: {1} (in {2}).</source>
        <translation>{0} uzantısı başarısız oldu: {1} ({2} sırasında).</translation>
    </message>
    <message>
        <source>The extension {0} returned something that can&apos;t be used: {1} (in {2}).</source>
        <translation>{0} uzantısı kullanılamayacak bir şey döndürdü: {1} ({2} sırasında).</translation>
    </message>
    <message>
        <source>The file cannot be read: {0}.</source>
        <translation>Dosya okunamıyor: {0}.</translation>
    </message>
    <message>
        <source>The file does not exist.</source>
        <translation>Dosya yok.</translation>
    </message>
    <message>
        <source>The file is write-protected, so nothing can be saved to it. You can look at everything, and save a copy to go on in.</source>
        <translation>Dosya yazmaya karşı korumalı olduğundan içine hiçbir şey kaydedilemez. Her şeye bakabilir, devam etmek için bir kopya kaydedebilirsiniz.</translation>
    </message>
    <message>
        <source>The file of this session is gone. Save it under another name to keep what is shown.</source>
        <translation>Bu oturumun dosyası artık yok. Görüneni saklamak için başka bir adla kaydedin.</translation>
    </message>
    <message>
        <source>The file was changed meanwhile and has no such entry any more; nothing was saved.</source>
        <translation>Dosya bu sırada değişti ve artık böyle bir kayıt içermiyor; hiçbir şey kaydedilmedi.</translation>
    </message>
    <message>
        <source>The file was of format version {0}. To be written to, it was brought to version {1}; it is kept as it was in {2}.</source>
        <translation>Dosyanın biçim sürümü {0} idi. Yazılabilmesi için sürüm {1} yapıldı; eski hâli {2} dosyasında duruyor.</translation>
    </message>
    <message>
        <source>The file was replaced by another one, which is shown now.</source>
        <translation>Dosyanın yerine başka biri kondu; şimdi o gösteriliyor.</translation>
    </message>
    <message>
        <source>The file was replaced by something that is no session. What is shown is how it was before.</source>
        <translation>Dosyanın yerine oturum olmayan bir şey kondu. Görünen, dosyanın önceki durumu.</translation>
    </message>
    <message>
        <source>The folder of this file is write-protected, so the file cannot be replaced and the original kept beside it. You can save a copy elsewhere to go on in.</source>
        <translation>Bu dosyanın klasörü yazmaya karşı korumalı olduğundan dosya değiştirilip aslı yanında saklanamaz. Devam etmek için başka bir yere bir kopya kaydedebilirsiniz.</translation>
    </message>
    <message>
        <source>The header of this session is missing or damaged. What could be recovered is shown; to work with it, save a repaired copy.</source>
        <translation>Bu oturumun başlığı eksik ya da bozuk. Kurtarılabilenler gösteriliyor; onunla çalışmak için onarılmış bir kopya kaydedin.</translation>
    </message>
    <message>
        <source>The header of this session is missing or damaged; what is left of it can be looked at.</source>
        <translation>Bu oturumun başlığı eksik ya da bozuk; geriye kalanına bakılabilir.</translation>
    </message>
    <message>
        <source>The id {0} occurs again later in the file; the last one counts.</source>
        <translation>{0} kimliği dosyada daha sonra bir kez daha geçiyor; sonuncusu geçerli.</translation>
    </message>
    <message>
        <source>The index of the library cannot be kept in {0}: {1}.</source>
        <translation>Kitaplığın dizini {0} konumunda saklanamıyor: {1}.</translation>
    </message>
    <message>
        <source>The index of the library cannot be used: {0}.</source>
        <translation>Kitaplığın dizini kullanılamıyor: {0}.</translation>
    </message>
    <message>
        <source>The index of the library in {0} cannot be used: {1}.</source>
        <translation>{0} konumundaki kitaplık dizini kullanılamıyor: {1}.</translation>
    </message>
    <message>
        <source>The key isn&apos;t allowed to do this; check it and the model in the settings.</source>
        <translation>Anahtarın buna izni yok; ayarlardaki anahtarı ve modeli denetleyin.</translation>
    </message>
    <message>
        <source>The label was not saved: {0}</source>
        <translation>Etiket kaydedilmedi: {0}</translation>
    </message>
    <message>
        <source>The last line is cut off, or still being written.</source>
        <translation>Son satır kesik ya da hâlâ yazılıyor.</translation>
    </message>
    <message>
        <source>The lines {0} to {1} are one record with line breaks in a text; they were put together.</source>
        <translation>{0} ile {1} arasındaki satırlar, bir metninde satır sonları olan tek bir kayıttır; birleştirildi.</translation>
    </message>
    <message>
        <source>The lines {0} to {1} cannot be read.</source>
        <translation>{0} ile {1} arasındaki satırlar okunamıyor.</translation>
    </message>
    <message>
        <source>The model called a tool, but none was offered to it.</source>
        <translation>Model bir araç çağırdı, oysa ona hiçbir araç sunulmamıştı.</translation>
    </message>
    <message>
        <source>The parent of the entry {0} is missing.</source>
        <translation>{0} kaydının üst kaydı eksik.</translation>
    </message>
    <message>
        <source>The parent {0} is not in the file; the entry is shown as a root.</source>
        <translation>{0} üst kaydı dosyada değil; kayıt kök olarak gösteriliyor.</translation>
    </message>
    <message>
        <source>The parents of this entry lead back to it; the circle is cut here.</source>
        <translation>Bu kaydın üst kayıtları yine ona çıkıyor; döngü burada kesildi.</translation>
    </message>
    <message>
        <source>The provider ended the answer: {0}.</source>
        <translation>Sağlayıcı yanıtı sonlandırdı: {0}.</translation>
    </message>
    <message>
        <source>The session already has an entry with the id {0}.</source>
        <translation>Oturumda kimliği {0} olan bir kayıt zaten var.</translation>
    </message>
    <message>
        <source>The session could not be opened; see the log.</source>
        <translation>Oturum açılamadı; ayrıntılar günlükte.</translation>
    </message>
    <message>
        <source>The session does not go on by itself: {0}</source>
        <translation>Oturum kendiliğinden sürmüyor: {0}</translation>
    </message>
    <message>
        <source>The session is still being read.</source>
        <translation>Oturum hâlâ okunuyor.</translation>
    </message>
    <message>
        <source>The session was changed meanwhile, so nothing was saved.</source>
        <translation>Oturum bu sırada değişti, bu yüzden hiçbir şey kaydedilmedi.</translation>
    </message>
    <message>
        <source>The settings could not be saved: {0}.</source>
        <translation>Ayarlar kaydedilemedi: {0}.</translation>
    </message>
    <message>
        <source>The settings in {0} are no JSON object, so they were not changed.</source>
        <translation>{0} dosyasındaki ayarlar bir JSON nesnesi değil, bu yüzden değiştirilmedi.</translation>
    </message>
    <message>
        <source>The settings in {0} can&apos;t be read, so they were not changed.</source>
        <translation>{0} dosyasındaki ayarlar okunamıyor, bu yüzden değiştirilmedi.</translation>
    </message>
    <message>
        <source>The settings should be an object.</source>
        <translation>Ayarlar bir nesne olmalı.</translation>
    </message>
    <message>
        <source>The short summary was left out: {0}</source>
        <translation>Kısa özet atlandı: {0}</translation>
    </message>
    <message>
        <source>The summary is empty, so nothing was saved.</source>
        <translation>Özet boş, bu yüzden hiçbir şey kaydedilmedi.</translation>
    </message>
    <message>
        <source>The system keyring could not be changed ({0}). Set the provider&apos;s environment variable instead.</source>
        <translation>Sistemin anahtarlığı değiştirilemedi ({0}). Bunun yerine sağlayıcının ortam değişkenini ayarlayın.</translation>
    </message>
    <message>
        <source>The text for {0} holds what looks like secrets ({1}), so nothing was sent.</source>
        <translation>{0} için hazırlanan metinde gizli bilgiye benzeyen şeyler var ({1}), bu yüzden hiçbir şey gönderilmedi.</translation>
    </message>
    <message>
        <source>The trust could not be saved: {0}.</source>
        <translation>Güven kaydedilemedi: {0}.</translation>
    </message>
    <message>
        <source>The {0} request has about {1} tokens and leaves {2} for the answer, but {3} has a window of {4}. Choose a model with a larger window, or summarise less at once: keep more recent tokens, or start from an earlier entry.</source>
        <translation>İstek ({0}) yaklaşık {1} token ve yanıta {2} token ayırıyor, ama {3} modelinin penceresi {4}. Penceresi daha büyük bir model seçin ya da bir kerede daha azını özetleyin: son tokenlardan daha çoğunu koruyun veya daha önceki bir kayıttan başlayın.</translation>
    </message>
    <message>
        <source>The {0} summary does not cover everything: the server read {1} of about {2} tokens. Raise the context size of the server (num_ctx in Ollama, -c in llama.cpp).</source>
        <translation>Özet ({0}) her şeyi kapsamıyor: sunucu yaklaşık {2} tokenın {1} kadarını okudu. Sunucunun bağlam boyutunu artırın (Ollama’da num_ctx, llama.cpp’de -c).</translation>
    </message>
    <message>
        <source>The {0} summary is empty.</source>
        <translation>Özet ({0}) boş.</translation>
    </message>
    <message>
        <source>The {0} summary is empty: the model only thought.</source>
        <translation>Özet ({0}) boş: model yalnızca düşündü.</translation>
    </message>
    <message>
        <source>The {0} summary is none: the model went on with the conversation instead of summarising it.</source>
        <translation>Yanıt ({0}) bir özet değil: model konuşmayı özetlemek yerine sürdürdü.</translation>
    </message>
    <message>
        <source>The {0} summary was cut off by the output limit at {1} tokens.</source>
        <translation>Özet ({0}), {1} tokenlık çıktı sınırında kesildi.</translation>
    </message>
    <message>
        <source>The {0} summary was cut off by the output limit.</source>
        <translation>Özet ({0}) çıktı sınırında kesildi.</translation>
    </message>
    <message>
        <source>The {0} summary was not written: the model tried to call a tool instead.</source>
        <translation>Özet ({0}) yazılmadı: model bunun yerine bir araç çağırmaya kalktı.</translation>
    </message>
    <message>
        <source>The {0} summary was refused by the model ({1}).</source>
        <translation>Model özeti ({0}) yazmayı reddetti ({1}).</translation>
    </message>
    <message>
        <source>There are {0} more problems, which are not listed.</source>
        <translation>Listelenmeyen {0} sorun daha var.</translation>
    </message>
    <message>
        <source>There is 1 more problem, which is not listed.</source>
        <translation>Listelenmeyen 1 sorun daha var.</translation>
    </message>
    <message>
        <source>There is another {0} now, so the one in the trash stays there.</source>
        <translation>Şimdi başka bir {0} var, bu yüzden çöptekine dokunulmadı.</translation>
    </message>
    <message>
        <source>There is no summariser {0} for this. Set up a model in the settings.</source>
        <translation>Bunun için {0} adlı bir özetleyici yok. Ayarlarda bir model kurun.</translation>
    </message>
    <message>
        <source>There is nothing to compact: the session is too small.</source>
        <translation>Sıkıştırılacak bir şey yok: oturum çok küçük.</translation>
    </message>
    <message>
        <source>There is nothing to send.</source>
        <translation>Gönderilecek bir şey yok.</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Düşünme</translation>
    </message>
    <message>
        <source>This branch is already compacted.</source>
        <translation>Bu dal zaten sıkıştırılmış.</translation>
    </message>
    <message>
        <source>This file cannot be read: {0}.</source>
        <translation>Bu dosya okunamıyor: {0}.</translation>
    </message>
    <message>
        <source>This file is not a session: it has no session header and no entries.</source>
        <translation>Bu dosya bir oturum değil: ne oturum başlığı ne de kayıt içeriyor.</translation>
    </message>
    <message>
        <source>This file is not a session: it has no session header.</source>
        <translation>Bu dosya bir oturum değil: oturum başlığı yok.</translation>
    </message>
    <message>
        <source>This is a folder or a device, not a file.</source>
        <translation>Bu bir klasör ya da aygıt, dosya değil.</translation>
    </message>
    <message>
        <source>This line holds a JSON value that is not an object.</source>
        <translation>Bu satırda nesne olmayan bir JSON değeri var.</translation>
    </message>
    <message>
        <source>This line is damaged; one whole record was found in it.</source>
        <translation>Bu satır bozuk; içinde bir sağlam kayıt bulundu.</translation>
    </message>
    <message>
        <source>This line is damaged; {0} whole records were found in it.</source>
        <translation>Bu satır bozuk; içinde {0} sağlam kayıt bulundu.</translation>
    </message>
    <message>
        <source>This line of {0} bytes is too long to be read and was skipped.</source>
        <translation>{0} baytlık bu satır okunamayacak kadar uzun; atlandı.</translation>
    </message>
    <message>
        <source>This record has no id, so it has no place in the tree.</source>
        <translation>Bu kaydın kimliği yok, bu yüzden ağaçta yeri de yok.</translation>
    </message>
    <message>
        <source>This session has no entry with the id {0}.</source>
        <translation>Bu oturumda kimliği {0} olan bir kayıt yok.</translation>
    </message>
    <message>
        <source>This session has no header yet, so it cannot have a title.</source>
        <translation>Bu oturumun henüz başlık kaydı yok, bu yüzden bir adı olamaz.</translation>
    </message>
    <message>
        <source>This session is of a newer format version than this program knows; it can only be looked at.</source>
        <translation>Bu oturumun biçim sürümü bu programın bildiğinden yeni; ona yalnızca bakılabilir.</translation>
    </message>
    <message>
        <source>This session is of format version {0}, which is newer than this program: it can only be looked at.</source>
        <translation>Bu oturumun biçim sürümü {0}, bu programdan daha yeni: ona yalnızca bakılabilir.</translation>
    </message>
    <message>
        <source>This setting of OMP is not supported.</source>
        <translation>OMP’nin bu ayarı desteklenmiyor.</translation>
    </message>
    <message>
        <source>Tokens can&apos;t be counted: no other process can be started here.</source>
        <translation>Tokenlar sayılamıyor: burada başka bir süreç başlatılamıyor.</translation>
    </message>
    <message>
        <source>Tokens can&apos;t be counted: the process that counts them did not answer as it should.</source>
        <translation>Tokenlar sayılamıyor: onları sayan süreç gerektiği gibi yanıt vermedi.</translation>
    </message>
    <message>
        <source>Too many levels of symbolic links</source>
        <translation>Simgesel bağların düzeyi çok derin</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>Çok fazla açık dosya var</translation>
    </message>
    <message>
        <source>Waiting for the summary to be read</source>
        <translation>Özetin okunması bekleniyor</translation>
    </message>
    <message>
        <source>What looks like secrets would be sent to {0}</source>
        <translation>Gizli bilgiye benzeyen şeyler {0} adresine gönderilecek</translation>
    </message>
    <message>
        <source>[image]</source>
        <translation>[görsel]</translation>
    </message>
    <message>
        <source>[{0} images]</source>
        <translation>[{0} görsel]</translation>
    </message>
    <message>
        <source>a web page instead of an answer</source>
        <translation>yanıt yerine bir web sayfası</translation>
    </message>
    <message>
        <source>aborted</source>
        <translation>durduruldu</translation>
    </message>
    <message>
        <source>an error</source>
        <translation>bir hata</translation>
    </message>
    <message>
        <source>an unexpected {0}; see the log</source>
        <translation>beklenmeyen bir {0}; ayrıntılar günlükte</translation>
    </message>
    <message>
        <source>an unreadable address</source>
        <translation>okunamayan bir adres</translation>
    </message>
    <message>
        <source>authorization</source>
        <translation>yetkilendirme</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>dal</translation>
    </message>
    <message>
        <source>cleared</source>
        <translation>silindi</translation>
    </message>
    <message>
        <source>compaction.firstKeptEntryId: no entry of this branch has the id {0}</source>
        <translation>compaction.firstKeptEntryId: bu dalda kimliği {0} olan bir kayıt yok</translation>
    </message>
    <message>
        <source>environment variable {0}</source>
        <translation>{0} ortam değişkeni</translation>
    </message>
    <message>
        <source>error</source>
        <translation>hata</translation>
    </message>
    <message>
        <source>history</source>
        <translation>geçmiş</translation>
    </message>
    <message>
        <source>image</source>
        <translation>görsel</translation>
    </message>
    <message>
        <source>it is no YAML</source>
        <translation>YAML değil</translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation>çok büyük</translation>
    </message>
    <message>
        <source>memory of this run of the program</source>
        <translation>programın bu çalışmasının belleği</translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation>neden belirtilmedi</translation>
    </message>
    <message>
        <source>nothing at all</source>
        <translation>hiçbir şey</translation>
    </message>
    <message>
        <source>npm token</source>
        <translation>npm erişim belirteci</translation>
    </message>
    <message>
        <source>only a part could be written; the disk may be full</source>
        <translation>yalnızca bir bölümü yazılabildi; disk dolu olabilir</translation>
    </message>
    <message>
        <source>password in an address</source>
        <translation>adres içinde parola</translation>
    </message>
    <message>
        <source>password of a command</source>
        <translation>komuttaki parola</translation>
    </message>
    <message>
        <source>private key</source>
        <translation>özel anahtar</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>reddedildi</translation>
    </message>
    <message>
        <source>short summary</source>
        <translation>kısa özet</translation>
    </message>
    <message>
        <source>system keyring</source>
        <translation>sistemin anahtarlığı</translation>
    </message>
    <message>
        <source>the context is still too large after one compact-and-retry attempt.</source>
        <translation>bağlam, bir kez sıkıştırıp yeniden denedikten sonra da çok büyük.</translation>
    </message>
    <message>
        <source>the file ended early</source>
        <translation>dosya erken bitti</translation>
    </message>
    <message>
        <source>the header</source>
        <translation>başlık</translation>
    </message>
    <message>
        <source>the result</source>
        <translation>sonuç</translation>
    </message>
    <message>
        <source>the session was closed</source>
        <translation>oturum kapatıldı</translation>
    </message>
    <message>
        <source>there is no file {0}</source>
        <translation>{0} diye bir dosya yok</translation>
    </message>
    <message>
        <source>turn prefix</source>
        <translation>tur başı</translation>
    </message>
    <message>
        <source>value of {0}</source>
        <translation>{0} değeri</translation>
    </message>
    <message>
        <source>{0} NUL bytes stand here, as a crash leaves them.</source>
        <translation>Burada, bir çökmenin bıraktığı türden {0} NUL baytı var.</translation>
    </message>
    <message>
        <source>{0} and {1} more</source>
        <translation>{0} ve {1} tane daha</translation>
    </message>
    <message>
        <source>{0} answered with a redirect that doesn&apos;t repeat the request.</source>
        <translation>{0}, isteği yinelemeyen bir yönlendirmeyle yanıt verdi.</translation>
    </message>
    <message>
        <source>{0} answered without a message.</source>
        <translation>{0}, ileti içermeyen bir yanıt verdi.</translation>
    </message>
    <message>
        <source>{0} answered without a summary.</source>
        <translation>{0}, özet içermeyen bir yanıt verdi.</translation>
    </message>
    <message>
        <source>{0} answered {1}.</source>
        <translation>{0} şu yanıtı verdi: {1}.</translation>
    </message>
    <message>
        <source>{0} answered, but without any text.</source>
        <translation>{0} yanıt verdi, ama hiç metin yok.</translation>
    </message>
    <message>
        <source>{0} cannot be moved to the trash of this desktop; nothing was deleted.</source>
        <translation>{0} bu masaüstünün çöpüne taşınamıyor; hiçbir şey silinmedi.</translation>
    </message>
    <message>
        <source>{0} cannot be put back: {1}.</source>
        <translation>{0} yerine geri konamıyor: {1}.</translation>
    </message>
    <message>
        <source>{0} cannot be read: {1}.</source>
        <translation>{0} okunamıyor: {1}.</translation>
    </message>
    <message>
        <source>{0} could not be reached ({1}). Is it running, and is the address right?</source>
        <translation>{0} adresine ulaşılamadı ({1}). Çalışıyor mu, adres doğru mu?</translation>
    </message>
    <message>
        <source>{0} could not be reached within {1} seconds.</source>
        <translation>{0} adresine {1} saniye içinde ulaşılamadı.</translation>
    </message>
    <message>
        <source>{0} could not be read: {1}.</source>
        <translation>{0} okunamadı: {1}.</translation>
    </message>
    <message>
        <source>{0} ended the stream before the reply was complete.</source>
        <translation>{0}, yanıt tamamlanmadan akışı bitirdi.</translation>
    </message>
    <message>
        <source>{0} had not finished after {1} seconds.</source>
        <translation>{0}, {1} saniye sonra da bitirmemişti.</translation>
    </message>
    <message>
        <source>{0} has to be restored from the trash of the desktop.</source>
        <translation>{0} masaüstünün çöpünden geri alınmalı.</translation>
    </message>
    <message>
        <source>{0} implements no hook: mark its functions with @hookimpl.</source>
        <translation>{0} hiçbir kancayı gerçekleştirmiyor: işlevlerini @hookimpl ile işaretleyin.</translation>
    </message>
    <message>
        <source>{0} implements {1}, but there is no hook of that name.</source>
        <translation>{0}, {1} kancasını gerçekleştiriyor, ama bu adda bir kanca yok.</translation>
    </message>
    <message>
        <source>{0} is no Python file</source>
        <translation>{0} bir Python dosyası değil</translation>
    </message>
    <message>
        <source>{0} is no folder.</source>
        <translation>{0} bir klasör değil.</translation>
    </message>
    <message>
        <source>{0} is not there any more.</source>
        <translation>{0} artık orada değil.</translation>
    </message>
    <message>
        <source>{0} isn&apos;t an http or https address.</source>
        <translation>{0} bir http ya da https adresi değil.</translation>
    </message>
    <message>
        <source>{0} left out of the context</source>
        <translation>{0} bağlamdan çıkarıldı</translation>
    </message>
    <message>
        <source>{0} or {1}</source>
        <translation>{0} ya da {1}</translation>
    </message>
    <message>
        <source>{0} redirects in a circle.</source>
        <translation>{0} döngü içinde yönlendiriyor.</translation>
    </message>
    <message>
        <source>{0} redirects to {1}, which was refused: a session is only sent to the configured host.</source>
        <translation>{0}, {1} adresine yönlendiriyor; bu reddedildi: oturum yalnızca ayarlanmış sunucuya gönderilir.</translation>
    </message>
    <message>
        <source>{0} replaced in the context</source>
        <translation>{0} bağlamda değiştirildi</translation>
    </message>
    <message>
        <source>{0} sent a damaged stream.</source>
        <translation>{0} bozuk bir akış gönderdi.</translation>
    </message>
    <message>
        <source>{0} sent an answer of more than {1} bytes, which can&apos;t be a summary.</source>
        <translation>{0}, {1} bayttan uzun bir yanıt gönderdi; bu bir özet olamaz.</translation>
    </message>
    <message>
        <source>{0} sent nothing for {1} seconds.</source>
        <translation>{0}, {1} saniye boyunca hiçbir şey göndermedi.</translation>
    </message>
    <message>
        <source>{0} sent something that isn&apos;t JSON: {1}</source>
        <translation>{0}, JSON olmayan bir şey gönderdi: {1}</translation>
    </message>
    <message>
        <source>{0} was not loaded: {1}</source>
        <translation>{0} yüklenmedi: {1}</translation>
    </message>
    <message>
        <source>{0} would be reached without encryption, so anybody on the way could read the session. Use an https address, or allow plain http for this endpoint in the settings.</source>
        <translation>{0} adresine şifrelenmeden ulaşılırdı; yoldaki herkes oturumu okuyabilirdi. Bir https adresi kullanın ya da ayarlarda bu uç nokta için düz http’ye izin verin.</translation>
    </message>
    <message>
        <source>{0}: {1} The next model is tried.</source>
        <translation>{0}: {1} Sıradaki model deneniyor.</translation>
    </message>
    <message>
        <source>{0}; or: {1}</source>
        <translation>{0}; ya da: {1}</translation>
    </message>
    <message>
        <source>{0}… ({1} characters)</source>
        <translation>{0}… ({1} karakter)</translation>
    </message>
</context>
<context>
    <name>SessionEdits</name>
    <message>
        <source>Label</source>
        <translation>Etiket</translation>
    </message>
    <message>
        <source>Label of the selected entry (empty removes it):</source>
        <translation>Seçili kaydın etiketi (boş bırakılırsa kaldırılır):</translation>
    </message>
    <message>
        <source>Name of the session</source>
        <translation>Oturumun adı</translation>
    </message>
    <message>
        <source>Name (empty takes it away):</source>
        <translation>Ad (boş bırakılırsa kaldırılır):</translation>
    </message>
    <message>
        <source>Nothing changed: the agents would resume here anyway.</source>
        <translation>Hiçbir şey değişmedi: ajanlar zaten buradan sürdürür.</translation>
    </message>
    <message>
        <source>One entry was added, so the agents resume here. Set the point elsewhere to change that.</source>
        <translation>Bir kayıt eklendi; ajanlar buradan sürdürür. Değiştirmek için noktayı başka yere koyun.</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>Kaydediliyor</translation>
    </message>
    <message>
        <source>Something else is running. Stop it first, or wait for it.</source>
        <translation>Başka bir işlem sürüyor. Önce onu durdurun ya da bitmesini bekleyin.</translation>
    </message>
</context>
<context>
    <name>SessionPane</name>
    <message>
        <source>The longest branch is the trunk now, wherever you are.</source>
        <translation>Nerede olursanız olun, gövde artık en uzun dal.</translation>
    </message>
    <message>
        <source>The active path is the trunk now.</source>
        <translation>Gövde artık etkin yol.</translation>
    </message>
    <message>
        <source>Go to an entry</source>
        <translation>Bir kayda git</translation>
    </message>
    <message>
        <source>Id of the entry, or the beginning of it:</source>
        <translation>Kaydın kimliği ya da kimliğin başı:</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>Salt okunur</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Kaydedildi</translation>
    </message>
    <message>
        <source>The file is gone</source>
        <translation>Dosya artık yok</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Denetçi</translation>
    </message>
    <message>
        <source>Hide the inspector</source>
        <translation>Denetçiyi gizle</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Harita</translation>
    </message>
    <message>
        <source>Reading {0}…</source>
        <translation>{0} okunuyor…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Durdur</translation>
    </message>
    <message>
        <source>The entry {0} is not in this session.</source>
        <translation>{0} kaydı bu oturumda yok.</translation>
    </message>
    <message>
        <source>This session has no entries yet.</source>
        <translation>Bu oturumda henüz kayıt yok.</translation>
    </message>
    <message>
        <source>No entry passes this filter.</source>
        <translation>Bu süzgeçten geçen kayıt yok.</translation>
    </message>
    <message>
        <source>“Navigate to the selected entry…”</source>
        <translation>“Seçili kayda git…”</translation>
    </message>
    <message>
        <source>Compacted: one entry was added, nothing was deleted. To work without it, go to the entry before it.</source>
        <translation>Sıkıştırıldı: bir kayıt eklendi, hiçbir şey silinmedi. Onsuz çalışmak için öncesindeki kayda gidin.</translation>
    </message>
    <message>
        <source>Set up a model…</source>
        <translation>Model ayarla…</translation>
    </message>
    <message>
        <source>Stopped. Nothing was written, and you are where you were.</source>
        <translation>Durduruldu. Hiçbir şey yazılmadı, bulunduğunuz yerdesiniz.</translation>
    </message>
    <message>
        <source>{0} was not opened. {1}</source>
        <translation>{0} açılamadı. {1}</translation>
    </message>
    <message>
        <source>Nothing to show.</source>
        <translation>Gösterilecek bir şey yok.</translation>
    </message>
    <message>
        <source>Reading was stopped.</source>
        <translation>Okuma durduruldu.</translation>
    </message>
    <message>
        <source>Read it again</source>
        <translation>Yeniden oku</translation>
    </message>
</context>
<context>
    <name>SessionTabs</name>
    <message>
        <source>Open sessions</source>
        <translation>Açık oturumlar</translation>
    </message>
    <message>
        <source>Close {0}</source>
        <translation>{0} oturumunu kapat</translation>
    </message>
</context>
<context>
    <name>SessionTreeModel</name>
    <message>
        <source>Entry</source>
        <translation>Kayıt</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Bağlam</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Maliyet</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Saat</translation>
    </message>
</context>
<context>
    <name>SessionTreeView</name>
    <message>
        <source>Session tree</source>
        <translation>Oturum ağacı</translation>
    </message>
    <message>
        <source>cut · drag to move</source>
        <translation>kesim · taşımak için sürükleyin</translation>
    </message>
</context>
<context>
    <name>SessionWork</name>
    <message>
        <source>The agent at work has compacted its context.</source>
        <translation>Çalışan ajan bağlamını sıkıştırdı.</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>“{0}” is reset to {1}.</source>
        <translation>“{0}” sıfırlandı: {1}.</translation>
    </message>
    <message>
        <source>“{0}” is now {1}.</source>
        <translation>“{0}” artık {1}.</translation>
    </message>
    <message>
        <source>Reset to {0}</source>
        <translation>Sıfırla: {0}</translation>
    </message>
    <message>
        <source>{0}: reset to {1}</source>
        <translation>{0}: sıfırla, {1}</translation>
    </message>
    <message>
        <source>{0} in the file does not count: {1}</source>
        <translation>Dosyadaki {0} geçersiz: {1}</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Summaries</source>
        <translation>Özetler</translation>
    </message>
    <message>
        <source>Compaction</source>
        <translation>Sıkıştırma</translation>
    </message>
    <message>
        <source>Branch summaries</source>
        <translation>Dal özetleri</translation>
    </message>
    <message>
        <source>Pruning</source>
        <translation>Budama</translation>
    </message>
    <message>
        <source>Retries</source>
        <translation>Yeniden denemeler</translation>
    </message>
    <message>
        <source>Tree and colours</source>
        <translation>Ağaç ve renkler</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Oturumlar</translation>
    </message>
    <message>
        <source>Extensions</source>
        <translation>Uzantılar</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Kısayollar</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>Tüm ayarlar</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ayarlar</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>Ayar bul</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Sayfalar</translation>
    </message>
    <message>
        <source>Settings of</source>
        <translation>Ayarların kapsamı</translation>
    </message>
    <message>
        <source>Trust this project</source>
        <translation>Bu projeye güven</translation>
    </message>
    <message>
        <source>Changes are kept at once.</source>
        <translation>Değişiklikler anında saklanır.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Geri al</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Kapat</translation>
    </message>
    <message>
        <source>all sessions, seen from {0}</source>
        <translation>tüm oturumlar, {0} açısından</translation>
    </message>
    <message>
        <source>all sessions, seen from this one</source>
        <translation>tüm oturumlar, bu oturum açısından</translation>
    </message>
    <message>
        <source>this session only: {0}</source>
        <translation>yalnızca bu oturum: {0}</translation>
    </message>
    <message>
        <source>{0} is not read, because you have not said that you trust this project.</source>
        <translation>{0} okunmuyor, çünkü bu projeye güvendiğinizi belirtmediniz.</translation>
    </message>
    <message>
        <source>No setting is about “{0}”.</source>
        <translation>“{0}” ile ilgili ayar yok.</translation>
    </message>
    <message>
        <source>You trust {0} now.</source>
        <translation>Artık {0} projesine güveniyorsunuz.</translation>
    </message>
    <message>
        <source>You do not trust {0} any more.</source>
        <translation>Artık {0} projesine güvenmiyorsunuz.</translation>
    </message>
</context>
<context>
    <name>SettingsForm</name>
    <message>
        <source>Taken back: {0}</source>
        <translation>Geri alındı: {0}</translation>
    </message>
</context>
<context>
    <name>ShortcutsPage</name>
    <message>
        <source>Shortcuts</source>
        <translation>Kısayollar</translation>
    </message>
    <message>
        <source>Choose a line and press the new keys. Esc, Enter, Tab and the arrows stay as they are.</source>
        <translation>Bir satır seçin ve yeni tuşlara basın. Esc, Enter, Tab ve oklar olduğu gibi kalır.</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Komut</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tuşlar</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Not</translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation>Komutlar ve tuşları</translation>
    </message>
    <message>
        <source>New keys for the command</source>
        <translation>Komut için yeni tuşlar</translation>
    </message>
    <message>
        <source>No keys</source>
        <translation>Tuş yok</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Sıfırla</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Tümünü sıfırla</translation>
    </message>
    <message>
        <source>Take it over</source>
        <translation>Devral</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Diğer</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>değiştirildi</translation>
    </message>
    <message>
        <source>⚠ used twice</source>
        <translation>⚠ iki kez kullanılıyor</translation>
    </message>
    <message>
        <source>Nothing chosen</source>
        <translation>Seçim yok</translation>
    </message>
    <message>
        <source>{0} is needed for moving about or for stopping.</source>
        <translation>{0} gezinmek ya da durdurmak için gerekli.</translation>
    </message>
    <message>
        <source>{0} already belongs to {1}.</source>
        <translation>{0} zaten {1} komutuna ait.</translation>
    </message>
</context>
<context>
    <name>SourceList</name>
    <message>
        <source>Entries that this line comes from</source>
        <translation>Bu satırın geldiği kayıtlar</translation>
    </message>
    <message>
        <source>THIS LINE COMES FROM NO ENTRY</source>
        <translation>BU SATIR HİÇBİR KAYITTAN GELMİYOR</translation>
    </message>
    <message>
        <source>THIS LINE COMES FROM ONE ENTRY</source>
        <translation>BU SATIR TEK BİR KAYITTAN GELİYOR</translation>
    </message>
    <message>
        <source>THIS LINE COMES FROM {0} ENTRIES</source>
        <translation>BU SATIR {0} KAYITTAN GELİYOR</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>Open a session</source>
        <translation>Oturum aç</translation>
    </message>
    <message>
        <source>Branchwork shows the branches of a coding-agent session. Opening a file changes nothing in it. You can also drop a .jsonl file on this window.</source>
        <translation>Branchwork, bir kodlama ajanı oturumunun dallarını gösterir. Dosyayı açmak içinde hiçbir şeyi değiştirmez. Bir .jsonl dosyasını bu pencereye de bırakabilirsiniz.</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Aç…</translation>
    </message>
    <message>
        <source>Look at the demo</source>
        <translation>Örneğe bak</translation>
    </message>
    <message>
        <source>Open a copy of a bundled real session in a temporary folder</source>
        <translation>Birlikte gelen gerçek bir oturumun kopyasını geçici bir klasörde aç</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Son kullanılanlar</translation>
    </message>
    <message>
        <source>Recent sessions</source>
        <translation>Son kullanılan oturumlar</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>Esc to stop</source>
        <translation>Durdurmak için Esc</translation>
    </message>
    <message>
        <source>Agents go on at the end of the file. Send a prompt, or set a resume point, to make it this entry.</source>
        <translation>Ajanlar dosyanın sonundan sürdürür. Bu kayıttan sürdürmek için bir istem gönderin ya da sürdürme noktası koyun.</translation>
    </message>
    <message>
        <source>{0} session · v{1} · {2}</source>
        <translation>{0} oturumu · v{1} · {2}</translation>
    </message>
    <message>
        <source>The model of the active path: {0}</source>
        <translation>Etkin yolun modeli: {0}</translation>
    </message>
    <message>
        <source>Summaries: offline digest</source>
        <translation>Özetler: çevrimdışı derleme</translation>
    </message>
    <message>
        <source>Summaries: {0}</source>
        <translation>Özetler: {0}</translation>
    </message>
    <message>
        <source>Who writes the summaries of branches, unless you choose another there.</source>
        <translation>Orada başkası seçilmedikçe dalların özetlerini yazan.</translation>
    </message>
    <message>
        <source>context {0} of {1}</source>
        <translation>bağlam {0} / {1}</translation>
    </message>
    <message>
        <source>context {0}</source>
        <translation>bağlam {0}</translation>
    </message>
    <message>
        <source>Tokens of the context at the current leaf.</source>
        <translation>Geçerli uçtaki bağlamın token sayısı.</translation>
    </message>
    <message>
        <source>No answer has measured it since the last compaction; ≈ is estimated from the texts.</source>
        <translation>Son sıkıştırmadan bu yana hiçbir yanıt ölçmedi; ≈ metinlerden tahmindir.</translation>
    </message>
    <message>
        <source>Estimated from the texts: no answer has measured it.</source>
        <translation>Metinlerden tahmin edildi: hiçbir yanıt ölçmedi.</translation>
    </message>
    <message>
        <source>Compacted by itself above {0} tokens.</source>
        <translation>{0} token üzerinde kendiliğinden sıkıştırılır.</translation>
    </message>
    <message>
        <source>an agent would resume elsewhere</source>
        <translation>ajan başka yerden sürdürür</translation>
    </message>
    <message>
        <source>1 problem in file</source>
        <translation>dosyada 1 sorun</translation>
    </message>
    <message>
        <source>{0} problems in file</source>
        <translation>dosyada {0} sorun</translation>
    </message>
    <message>
        <source>{0} s</source>
        <translation>{0} sn</translation>
    </message>
</context>
<context>
    <name>StoredSummaryBox</name>
    <message>
        <source>What was summarised before</source>
        <translation>Daha önce özetlenenler</translation>
    </message>
    <message>
        <source>Sections of the stored summary</source>
        <translation>Saklı özetin bölümleri</translation>
    </message>
    <message>
        <source>Copy summary</source>
        <translation>Özeti kopyala</translation>
    </message>
</context>
<context>
    <name>SummariesPage</name>
    <message>
        <source>Summaries</source>
        <translation>Özetler</translation>
    </message>
    <message>
        <source>Who writes summaries. Without a model it is the offline digest, which needs no key and no network.</source>
        <translation>Özetleri kimin yazdığı. Model yoksa anahtar ve ağ istemeyen çevrimdışı derleme yazar.</translation>
    </message>
    <message>
        <source>DETAILS OF THE MODEL</source>
        <translation>MODELİN AYRINTILARI</translation>
    </message>
    <message>
        <source>REMOTE SUMMARISER</source>
        <translation>UZAK ÖZETLEYİCİ</translation>
    </message>
    <message>
        <source>{0} runs on this machine and offers {1}.</source>
        <translation>{0} bu makinede çalışıyor ve {1} sunuyor.</translation>
    </message>
    <message>
        <source>{0} runs on this machine and offers {1} and {2} more.</source>
        <translation>{0} bu makinede çalışıyor; {1} ve {2} model daha sunuyor.</translation>
    </message>
    <message>
        <source>Provider Key Test connection</source>
        <translation>Sağlayıcı Anahtar Bağlantıyı sına</translation>
    </message>
    <message>
        <source>Summaries are written by the offline digest now.</source>
        <translation>Özetleri artık çevrimdışı derleme yazıyor.</translation>
    </message>
    <message>
        <source>The provider is {0} now. Next: its key and a model.</source>
        <translation>Sağlayıcı artık {0}. Sırada anahtarı ve bir model var.</translation>
    </message>
    <message>
        <source>Summaries are written by {0} now.</source>
        <translation>Özetleri artık {0} yazıyor.</translation>
    </message>
    <message>
        <source>Asking {0} for its models…</source>
        <translation>{0} modelleri soruluyor…</translation>
    </message>
    <message>
        <source>Waiting for {0}…</source>
        <translation>{0} bekleniyor…</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Durduruldu.</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Kullan</translation>
    </message>
    <message>
        <source>None: the offline digest</source>
        <translation>Yok: çevrimdışı derleme</translation>
    </message>
    <message>
        <source>Another server…</source>
        <translation>Başka sunucu…</translation>
    </message>
    <message>
        <source>Prompts are sent there, and nowhere else, when you ask for a summary.</source>
        <translation>Özet istediğinizde istemler yalnızca oraya gönderilir.</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Sağlayıcı</translation>
    </message>
    <message>
        <source>Test connection</source>
        <translation>Bağlantıyı sına</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Durdur</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>bilinmiyor</translation>
    </message>
    <message>
        <source>As known for this model</source>
        <translation>Bu model için bilinen</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Bilinmiyor</translation>
    </message>
    <message>
        <source>No model is chosen, so summaries are written by the offline digest.</source>
        <translation>Model seçilmedi; özetleri çevrimdışı derleme yazar.</translation>
    </message>
    <message>
        <source>{0} Esc stops.</source>
        <translation>{0} Esc durdurur.</translation>
    </message>
    <message>
        <source>The server lists no models; write the id yourself.</source>
        <translation>Sunucu model listelemiyor; kimliği kendiniz yazın.</translation>
    </message>
    <message>
        <source>{0} models are offered.</source>
        <translation>{0} model sunuluyor.</translation>
    </message>
    <message>
        <source>1 model is offered.</source>
        <translation>1 model sunuluyor.</translation>
    </message>
    <message>
        <source>✓ {0} at {1} answered in {2} s.</source>
        <translation>✓ {1} adresindeki {0}, {2} sn’de yanıt verdi.</translation>
    </message>
</context>
<context>
    <name>SummarizerChoice</name>
    <message>
        <source>Summary written by</source>
        <translation>Özeti yazan</translation>
    </message>
</context>
<context>
    <name>SummaryRun</name>
    <message>
        <source>Something else is running. Stop it first, or wait for it.</source>
        <translation>Başka bir işlem sürüyor. Önce onu durdurun ya da bitmesini bekleyin.</translation>
    </message>
</context>
<context>
    <name>SummaryStream</name>
    <message>
        <source>Summary being written</source>
        <translation>Yazılmakta olan özet</translation>
    </message>
    <message>
        <source>SUMMARY, BEING WRITTEN</source>
        <translation>ÖZET YAZILIYOR</translation>
    </message>
    <message>
        <source>WHAT WAS WRITTEN, NOT SAVED</source>
        <translation>YAZILANLAR, KAYDEDİLMEDİ</translation>
    </message>
</context>
<context>
    <name>SummaryText</name>
    <message>
        <source>Short summary</source>
        <translation>Kısa özet</translation>
    </message>
</context>
<context>
    <name>TableSetting</name>
    <message>
        <source>From</source>
        <translation>Kaynak</translation>
    </message>
    <message>
        <source>{0}: new entry</source>
        <translation>{0}: yeni satır</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Ekle</translation>
    </message>
    <message>
        <source>Remove my values</source>
        <translation>Değerlerimi kaldır</translation>
    </message>
    <message>
        <source>Takes what you set for the selected entry out of your settings</source>
        <translation>Seçili satır için belirlediklerinizi ayarlarınızdan çıkarır</translation>
    </message>
    <message>
        <source>{0}: changed for {1}.</source>
        <translation>{0}: {1} için değiştirildi.</translation>
    </message>
    <message>
        <source>{0}: your values for {1} are removed.</source>
        <translation>{0}: {1} için değerleriniz kaldırıldı.</translation>
    </message>
</context>
<context>
    <name>TextView</name>
    <message>
        <source>[… {0} more characters]</source>
        <translation>[… {0} karakter daha]</translation>
    </message>
</context>
<context>
    <name>TimelineChart</name>
    <message>
        <source>Context size along the active path</source>
        <translation>Etkin yol boyunca bağlam boyutu</translation>
    </message>
    <message>
        <source>first entry</source>
        <translation>ilk kayıt</translation>
    </message>
    <message>
        <source>entry {0}, the leaf</source>
        <translation>kayıt {0}, uç</translation>
    </message>
    <message>
        <source>window</source>
        <translation>pencere</translation>
    </message>
    <message>
        <source>threshold</source>
        <translation>eşik</translation>
    </message>
    <message>
        <source>Entry {0} of {1}</source>
        <translation>Kayıt {0} / {1}</translation>
    </message>
    <message>
        <source>about {0} tokens (estimate)</source>
        <translation>yaklaşık {0} token (tahmin)</translation>
    </message>
    <message>
        <source>{0} % of the window</source>
        <translation>pencerenin % {0} kadarı</translation>
    </message>
    <message>
        <source>above the threshold</source>
        <translation>eşiğin üstünde</translation>
    </message>
    <message>
        <source>{0} tokens (recorded)</source>
        <translation>{0} token (kaydedilen)</translation>
    </message>
    <message>
        <source>compaction</source>
        <translation>sıkıştırma</translation>
    </message>
    <message>
        <source>compaction from {0} to {1} tokens</source>
        <translation>sıkıştırma: {0} tokenden {1} tokene</translation>
    </message>
</context>
<context>
    <name>TimelineTab</name>
    <message>
        <source>the agents&apos; estimate</source>
        <translation>ajanların tahmini</translation>
    </message>
    <message>
        <source>recorded by answers</source>
        <translation>yanıtların kaydettiği</translation>
    </message>
    <message>
        <source>compaction</source>
        <translation>sıkıştırma</translation>
    </message>
    <message>
        <source>Compactions on the active path</source>
        <translation>Etkin yoldaki sıkıştırmalar</translation>
    </message>
    <message>
        <source>Compaction</source>
        <translation>Sıkıştırma</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Önce</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Sonra</translation>
    </message>
    <message>
        <source>Context size</source>
        <translation>Bağlam boyutu</translation>
    </message>
    <message>
        <source>There is no entry on the active path yet.</source>
        <translation>Etkin yolda henüz kayıt yok.</translation>
    </message>
    <message>
        <source>Reading the active path…</source>
        <translation>Etkin yol okunuyor…</translation>
    </message>
    <message>
        <source>The context window of the model is not known; the settings can tell it.</source>
        <translation>Modelin bağlam penceresi bilinmiyor; ayarlarda belirtilebilir.</translation>
    </message>
    <message>
        <source>Measured against {0}, whose window holds {1} tokens.</source>
        <translation>{0} için ölçüldü; penceresi {1} token alır.</translation>
    </message>
    <message>
        <source>now</source>
        <translation>şimdi</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>en büyük</translation>
    </message>
    <message>
        <source>compactions</source>
        <translation>sıkıştırmalar</translation>
    </message>
    <message>
        <source>Arrow keys go from entry to entry, with Ctrl from compaction to compaction, Page Up and Page Down over a tenth of the path, Home and End to its ends, Enter to the tree.</source>
        <translation>Ok tuşları kayıttan kayda, Ctrl ile sıkıştırmadan sıkıştırmaya, Page Up ve Page Down yolun onda biri kadar, Home ve End uçlarına, Enter ağaca götürür.</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>bilinmiyor</translation>
    </message>
    <message>
        <source> · {0} % of the window</source>
        <translation> · pencerenin %{0} kadarı</translation>
    </message>
    <message>
        <source>Now (estimate)</source>
        <translation>Şimdi (tahmin)</translation>
    </message>
    <message>
        <source>Largest on the path</source>
        <translation>Yoldaki en büyük</translation>
    </message>
    <message>
        <source>Compacts itself above</source>
        <translation>Kendiliğinden sıkıştırma eşiği</translation>
    </message>
    <message>
        <source>Compactions</source>
        <translation>Sıkıştırmalar</translation>
    </message>
    <message>
        <source>{0} at entry {1}</source>
        <translation>{0}, kayıt {1}</translation>
    </message>
</context>
<context>
    <name>Tips</name>
    <message>
        <source>Go to another branch, with or without a summary of what you leave; you see both before you choose</source>
        <translation>Bıraktıklarınızın özetiyle ya da özetsiz başka bir dala git; seçmeden önce ikisini de görürsünüz</translation>
    </message>
    <message>
        <source>Move to the selected entry without a summary; nothing is written</source>
        <translation>Özet yazmadan seçili kayda geç; hiçbir şey yazılmaz</translation>
    </message>
    <message>
        <source>See where old history would be cut and become a summary, and make the cut</source>
        <translation>Eski geçmişin nereden kesilip özete dönüşeceğini gör ve kesimi yap</translation>
    </message>
    <message>
        <source>Replace old outputs of tools in the file by a short note; the original is kept as a backup</source>
        <translation>Dosyadaki eski araç çıktılarının yerine kısa bir not koy; özgün dosya yedek olarak saklanır</translation>
    </message>
    <message>
        <source>Give the entry a name, or bookmark it; it is shown as a chip in the tree</source>
        <translation>Kayda bir ad ya da yer imi ver; ağaçta etiket olarak görünür</translation>
    </message>
    <message>
        <source>Give the session a name, or take it away</source>
        <translation>Oturuma ad ver ya da adını kaldır</translation>
    </message>
    <message>
        <source>Write one entry, so that the agents go on from here too</source>
        <translation>Ajanların da buradan sürdürmesi için tek bir kayıt yaz</translation>
    </message>
    <message>
        <source>Copy the id of the selected entry to the clipboard</source>
        <translation>Seçili kaydın kimliğini panoya kopyala</translation>
    </message>
    <message>
        <source>See what happened in this session since it was opened</source>
        <translation>Bu oturumda açıldığından beri neler olduğunu gör</translation>
    </message>
    <message>
        <source>Abort what runs, as Esc does: nothing is written, the leaf stays where it was</source>
        <translation>Esc gibi, çalışanı durdur: hiçbir şey yazılmaz, uç yerinde kalır</translation>
    </message>
    <message>
        <source>Hide all entries but forks, heads of branches and leaves</source>
        <translation>Çatallar, dal başları ve uçlar dışındaki tüm kayıtları gizle</translation>
    </message>
    <message>
        <source>Choose from all branches with their sizes and times</source>
        <translation>Boyutları ve zamanlarıyla tüm dallar arasından seç</translation>
    </message>
    <message>
        <source>Draw the whole session small, a line for each run</source>
        <translation>Tüm oturumu küçük çiz; her parça bir çizgi</translation>
    </message>
    <message>
        <source>Read the selected entry and preview what can be done with it</source>
        <translation>Seçili kaydı oku ve onunla ne yapılabileceğini önceden gör</translation>
    </message>
    <message>
        <source>Put the selected branch and the active path side by side from their common ancestor on</source>
        <translation>Seçili dalı ve etkin yolu ortak atalarından başlayarak yan yana koy</translation>
    </message>
    <message>
        <source>Keep the branch of the selected entry, and put the next one that you select beside it</source>
        <translation>Seçili kaydın dalını tutar ve sonra seçtiğinizin dalını onun yanına koyar</translation>
    </message>
    <message>
        <source>Draw the size of the context along the path, with each compaction</source>
        <translation>Yol boyunca bağlamın boyutunu, her sıkıştırmayla birlikte çiz</translation>
    </message>
    <message>
        <source>Write HTML, Markdown or JSON to share; secrets can be masked</source>
        <translation>Paylaşmak için HTML, Markdown ya da JSON yaz; gizli bilgiler maskelenebilir</translation>
    </message>
    <message>
        <source>Write the branch of the selected entry as HTML, Markdown or JSON</source>
        <translation>Seçili kaydın dalını HTML, Markdown ya da JSON olarak yaz</translation>
    </message>
    <message>
        <source>Save the session&apos;s file under another name</source>
        <translation>Oturumun dosyasını başka bir adla kaydet</translation>
    </message>
    <message>
        <source>Open a copy of a bundled real session in a temporary folder</source>
        <translation>Birlikte gelen gerçek bir oturumun kopyasını geçici bir klasörde aç</translation>
    </message>
    <message>
        <source>Set up a model and its key, what is kept, colours and shortcuts</source>
        <translation>Modeli ve anahtarını, neyin saklanacağını, renkleri ve kısayolları ayarla</translation>
    </message>
    <message>
        <source>Find words in the texts of all sessions on this computer</source>
        <translation>Bu bilgisayardaki tüm oturumların metinlerinde sözcük ara</translation>
    </message>
    <message>
        <source>Select the entry where the session goes on</source>
        <translation>Oturumun sürdüğü kaydı seç</translation>
    </message>
</context>
<context>
    <name>TreeChoices</name>
    <message>
        <source>Ro&amp;ws stay in place</source>
        <translation>Satırlar &amp;yerinde kalsın</translation>
    </message>
    <message>
        <source>The longest branch is the trunk, wherever the leaf is, instead of the active path</source>
        <translation>Gövde, etkin yol yerine, uç nerede olursa olsun en uzun daldır</translation>
    </message>
    <message>
        <source>List of &amp;branches…</source>
        <translation>Dal &amp;listesi…</translation>
    </message>
    <message>
        <source>Column &amp;tokens</source>
        <translation>&amp;Token sütunu</translation>
    </message>
    <message>
        <source>Column conte&amp;xt</source>
        <translation>&amp;Bağlam sütunu</translation>
    </message>
    <message>
        <source>Column co&amp;st</source>
        <translation>&amp;Maliyet sütunu</translation>
    </message>
    <message>
        <source>Column t&amp;ime</source>
        <translation>&amp;Saat sütunu</translation>
    </message>
    <message>
        <source>Column &amp;widths…</source>
        <translation>Sütun &amp;genişlikleri…</translation>
    </message>
    <message>
        <source>&amp;All columns as at first</source>
        <translation>Tüm sütunlar &amp;ilk haline</translation>
    </message>
    <message>
        <source>C&amp;olumns</source>
        <translation>Sütu&amp;nlar</translation>
    </message>
</context>
<context>
    <name>TreeHeader</name>
    <message>
        <source>Columns</source>
        <translation>Sütunlar</translation>
    </message>
    <message>
        <source>Left and right choose a column, Shift+left and Shift+right change its width, Delete hides it.</source>
        <translation>Sol ve sağ bir sütun seçer, Shift+sol ve Shift+sağ genişliğini değiştirir, Delete onu gizler.</translation>
    </message>
    <message>
        <source>{0} (no room now)</source>
        <translation>{0} (şu an yer yok)</translation>
    </message>
    <message>
        <source>All columns at their first widths</source>
        <translation>Tüm sütunlar ilk genişliklerinde</translation>
    </message>
    <message>
        <source>{0} is hidden. View › Columns shows it again.</source>
        <translation>{0} gizlendi. Görünüm › Sütunlar yeniden gösterir.</translation>
    </message>
    <message>
        <source>{0}: {1} characters wide. Shift+left and Shift+right change that.</source>
        <translation>{0}: {1} karakter genişliğinde. Shift+sol ve Shift+sağ bunu değiştirir.</translation>
    </message>
</context>
<context>
    <name>TreePage</name>
    <message>
        <source>Tree and colours</source>
        <translation>Ağaç ve renkler</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Sistemdeki gibi</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Açık</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Koyu</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Yüksek karşıtlık</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Renkler</translation>
    </message>
    <message>
        <source>Of all windows, at once.</source>
        <translation>Tüm pencerelerde, anında.</translation>
    </message>
</context>
<context>
    <name>TurnControl</name>
    <message>
        <source>The session is still being read.</source>
        <translation>Oturum hâlâ okunuyor.</translation>
    </message>
    <message>
        <source>Sending</source>
        <translation>Gönderiliyor</translation>
    </message>
    <message>
        <source>Something else is running. Stop it first, or wait for it.</source>
        <translation>Başka bir işlem sürüyor. Önce onu durdurun ya da bitmesini bekleyin.</translation>
    </message>
    <message>
        <source>Stopped. What had arrived was kept as an answer that was stopped.</source>
        <translation>Durduruldu. Gelen bölüm, durdurulmuş bir yanıt olarak saklandı.</translation>
    </message>
    <message>
        <source>The answer was cut off at the model&apos;s output limit.</source>
        <translation>Yanıt, modelin çıktı sınırında kesildi.</translation>
    </message>
    <message>
        <source>What you had not sent is back in the composer.</source>
        <translation>Göndermediğiniz metin ileti kutusuna geri döndü.</translation>
    </message>
</context>
<context>
    <name>WriterDialog</name>
    <message>
        <source>Another program is writing</source>
        <translation>Başka bir program yazıyor</translation>
    </message>
    <message>
        <source>Text that is not saved yet</source>
        <translation>Henüz kaydedilmemiş metin</translation>
    </message>
    <message>
        <source>&amp;Copy the text</source>
        <translation>Metni &amp;kopyala</translation>
    </message>
    <message>
        <source>Another program went on from here meanwhile, with 1 entry</source>
        <translation>Bu arada başka bir program buradan devam etti: 1 kayıt</translation>
    </message>
    <message>
        <source>Another program went on from here meanwhile, with {0} entries</source>
        <translation>Bu arada başka bir program buradan devam etti: {0} kayıt</translation>
    </message>
    <message>
        <source>Another program wrote into this session {0} seconds ago</source>
        <translation>Başka bir program bu oturuma {0} saniye önce yazdı</translation>
    </message>
    <message>
        <source>What would be written now would stand beside its entries, on a branch of its own, and agents would resume there: what the other program wrote would be left. Nothing has been written yet.</source>
        <translation>Şimdi yazılacak olan, onun kayıtlarının yanında, kendi dalında dururdu ve ajanlar oradan devam ederdi: öbür programın yazdıkları geride kalırdı. Henüz hiçbir şey yazılmadı.</translation>
    </message>
    <message>
        <source>If an agent is at work in it, two writers make branches that nobody asked for. Nothing is overwritten either way. Stop the agent first, or write all the same.</source>
        <translation>İçinde bir ajan çalışıyorsa iki yazar, kimsenin istemediği dallar oluşturur. Her iki durumda da hiçbir şeyin üzerine yazılmaz. Önce ajanı durdurun ya da yine de yazın.</translation>
    </message>
    <message>
        <source>&amp;Write anyway</source>
        <translation>Yine de &amp;yaz</translation>
    </message>
    <message>
        <source>Do &amp;not write</source>
        <translation>Yaz&amp;ma</translation>
    </message>
</context>
<context>
    <name>_State</name>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
</context>
<context>
    <name>ago</name>
    <message>
        <source>{0} y ago</source>
        <translation>{0} yıl önce</translation>
    </message>
    <message>
        <source>{0} mo ago</source>
        <translation>{0} ay önce</translation>
    </message>
    <message>
        <source>{0} d ago</source>
        <translation>{0} gün önce</translation>
    </message>
    <message>
        <source>{0} h ago</source>
        <translation>{0} sa önce</translation>
    </message>
    <message>
        <source>{0} min ago</source>
        <translation>{0} dk önce</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>az önce</translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>Compaction</source>
        <translation>Sıkıştırma</translation>
    </message>
    <message>
        <source>Old history becomes a summary when the context fills up, or when you say so.</source>
        <translation>Bağlam dolduğunda ya da siz istediğinizde eski geçmiş özete dönüşür.</translation>
    </message>
    <message>
        <source>WHEN, MORE EXACTLY</source>
        <translation>TAM OLARAK NE ZAMAN</translation>
    </message>
    <message>
        <source>WHERE IT CUTS</source>
        <translation>NEREDEN KESER</translation>
    </message>
    <message>
        <source>WHAT THE SUMMARY HOLDS</source>
        <translation>ÖZET NEYİ İÇERİR</translation>
    </message>
    <message>
        <source>Reserve</source>
        <translation>Yedek pay</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Korunan</translation>
    </message>
    <message>
        <source>Provider/model</source>
        <translation>Sağlayıcı/model</translation>
    </message>
    <message>
        <source>Branch summaries</source>
        <translation>Dal özetleri</translation>
    </message>
    <message>
        <source>When you go to another branch, what you leave can be summarised for it.</source>
        <translation>Başka bir dala giderken ayrıldığınız dal onun için özetlenebilir.</translation>
    </message>
    <message>
        <source>Pruning</source>
        <translation>Budama</translation>
    </message>
    <message>
        <source>Old tool outputs are cut short before anything is summarised. OMP does it, Pi not.</source>
        <translation>Bir şey özetlenmeden önce eski araç çıktıları kısaltılır. OMP bunu yapar, Pi yapmaz.</translation>
    </message>
    <message>
        <source>Retries</source>
        <translation>Yeniden denemeler</translation>
    </message>
    <message>
        <source>What happens when a request for a summary fails for a reason that passes.</source>
        <translation>Özet isteği geçici bir nedenle başarısız olduğunda ne olacağı.</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rol</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Oturumlar</translation>
    </message>
    <message>
        <source>Write a number, such as {0}.</source>
        <translation>{0} gibi bir sayı yazın.</translation>
    </message>
    <message>
        <source>At least {0}.</source>
        <translation>En az {0}.</translation>
    </message>
    <message>
        <source>At most {0}.</source>
        <translation>En çok {0}.</translation>
    </message>
    <message>
        <source>A whole number, please.</source>
        <translation>Tam sayı yazın.</translation>
    </message>
    <message>
        <source>An address starts with https:// or http:// and a host name.</source>
        <translation>Adres https:// ya da http:// ve bir sunucu adıyla başlar.</translation>
    </message>
    <message>
        <source>This must not be empty.</source>
        <translation>Boş bırakılamaz.</translation>
    </message>
    <message>
        <source>the default</source>
        <translation>varsayılan</translation>
    </message>
    <message>
        <source>{0}&apos;s settings</source>
        <translation>{0} ayarları</translation>
    </message>
    <message>
        <source>{0}&apos;s settings of the project</source>
        <translation>{0} proje ayarları</translation>
    </message>
    <message>
        <source>your settings</source>
        <translation>sizin ayarlarınız</translation>
    </message>
    <message>
        <source>this session&apos;s own settings</source>
        <translation>bu oturumun kendi ayarları</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Varsayılan</translation>
    </message>
    <message>
        <source>Set by you</source>
        <translation>Siz belirlediniz</translation>
    </message>
    <message>
        <source>This session has its own: {0}</source>
        <translation>Bu oturumun kendi değeri var: {0}</translation>
    </message>
    <message>
        <source>For this session</source>
        <translation>Bu oturum için</translation>
    </message>
    <message>
        <source>From {0}{1}</source>
        <translation>Kaynak: {0}{1}</translation>
    </message>
    <message>
        <source>here, in {0} sessions: {1}</source>
        <translation>burada, {0} oturumlarında: {1}</translation>
    </message>
    <message>
        <source>{0} say {1}</source>
        <translation>{0}: {1}</translation>
    </message>
    <message>
        <source>Default: {0}</source>
        <translation>Varsayılan: {0}</translation>
    </message>
    <message>
        <source>none</source>
        <translation>yok</translation>
    </message>
    <message>
        <source>on</source>
        <translation>açık</translation>
    </message>
    <message>
        <source>off</source>
        <translation>kapalı</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>otomatik</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>saniye</translation>
    </message>
    <message>
        <source>Compact automatically</source>
        <translation>Otomatik sıkıştır</translation>
    </message>
    <message>
        <source>When the context is full or over the threshold. You can always compact by hand.</source>
        <translation>Bağlam dolduğunda ya da eşiği aştığında. Her zaman elle sıkıştırabilirsiniz.</translation>
    </message>
    <message>
        <source>Reserve for the answer</source>
        <translation>Yanıt için yedek pay</translation>
    </message>
    <message>
        <source>Compaction starts when less than this is left of the context window.</source>
        <translation>Bağlam penceresinde bundan az yer kaldığında sıkıştırma başlar.</translation>
    </message>
    <message>
        <source>Tokens to keep</source>
        <translation>Korunacak token</translation>
    </message>
    <message>
        <source>The end of the branch that stays word for word.</source>
        <translation>Dalın sözcüğü sözcüğüne kalan sonu.</translation>
    </message>
    <message>
        <source>Continue after an automatic compaction</source>
        <translation>Otomatik sıkıştırmadan sonra sürdür</translation>
    </message>
    <message>
        <source>Sends a short request to go on with the next steps.</source>
        <translation>Sonraki adımlarla sürdürmesi için kısa bir istek gönderir.</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Yöntem</translation>
    </message>
    <message>
        <source>Handing over to a new session is not supported; a summary is made instead.</source>
        <translation>Yeni oturuma devretme desteklenmiyor; onun yerine özet yazılır.</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Özet</translation>
    </message>
    <message>
        <source>Hand over (as summary)</source>
        <translation>Devret (özet olarak)</translation>
    </message>
    <message>
        <source>Never by itself</source>
        <translation>Kendiliğinden asla</translation>
    </message>
    <message>
        <source>Threshold in percent</source>
        <translation>Yüzde olarak eşik</translation>
    </message>
    <message>
        <source>Above 0: compact at this share of the window instead of by the reserve.</source>
        <translation>0’dan büyükse: yedek pay yerine pencerenin bu oranında sıkıştır.</translation>
    </message>
    <message>
        <source>Threshold in tokens</source>
        <translation>Token olarak eşik</translation>
    </message>
    <message>
        <source>Above 0: compact at this size. Wins over the percentage.</source>
        <translation>0’dan büyükse: bu boyutta sıkıştır. Yüzdeden önce gelir.</translation>
    </message>
    <message>
        <source>Where summarising starts after an earlier compaction</source>
        <translation>Önceki bir sıkıştırmadan sonra özetin başladığı yer</translation>
    </message>
    <message>
        <source>At the first kept entry nothing is lost; behind the compaction is how OMP does it.</source>
        <translation>Korunan ilk kayıttan başlanırsa hiçbir şey yitmez; OMP sıkıştırmanın ardından başlar.</translation>
    </message>
    <message>
        <source>At the first kept entry</source>
        <translation>Korunan ilk kayıttan</translation>
    </message>
    <message>
        <source>Behind the compaction</source>
        <translation>Sıkıştırmanın ardından</translation>
    </message>
    <message>
        <source>Adapt what is kept to measured usage</source>
        <translation>Korunanı ölçülen kullanıma uyarla</translation>
    </message>
    <message>
        <source>Keeps less where the provider measured more tokens than the estimate.</source>
        <translation>Sağlayıcının tahminden çok token ölçtüğü yerde daha azını korur.</translation>
    </message>
    <message>
        <source>Short summary as well</source>
        <translation>Kısa özet de yaz</translation>
    </message>
    <message>
        <source>One more request, for two or three sentences to show in lists; never sent as context.</source>
        <translation>Listelerde gösterilecek iki üç cümle için bir istek daha; bağlam olarak asla gönderilmez.</translation>
    </message>
    <message>
        <source>Show the model&apos;s thinking to the summariser</source>
        <translation>Modelin düşünmesini özetleyiciye göster</translation>
    </message>
    <message>
        <source>Off: shorter prompts; reasons that were only thought are lost.</source>
        <translation>Kapalı: istemler kısalır; yalnızca düşünülen nedenler yiter.</translation>
    </message>
    <message>
        <source>Most files in a list</source>
        <translation>Listedeki en çok dosya</translation>
    </message>
    <message>
        <source>Of the files that are listed under a summary; 0 lists all.</source>
        <translation>Özetin altında listelenen dosyalardan; 0 tümünü listeler.</translation>
    </message>
    <message>
        <source>files</source>
        <translation>dosya</translation>
    </message>
    <message>
        <source>Values for single models</source>
        <translation>Tek tek modeller için değerler</translation>
    </message>
    <message>
        <source>Reserve and tokens to keep for one model, named as provider/model.</source>
        <translation>sağlayıcı/model olarak yazılan bir model için yedek pay ve korunacak token.</translation>
    </message>
    <message>
        <source>Remote summariser</source>
        <translation>Uzak özetleyici</translation>
    </message>
    <message>
        <source>An address that gets the prompts of compactions by POST and answers with a summary.</source>
        <translation>Sıkıştırma istemlerini POST ile alıp özetle yanıt veren adres.</translation>
    </message>
    <message>
        <source>Use the remote summariser</source>
        <translation>Uzak özetleyiciyi kullan</translation>
    </message>
    <message>
        <source>Patience with the remote summariser</source>
        <translation>Uzak özetleyiciyi bekleme süresi</translation>
    </message>
    <message>
        <source>When you leave a branch</source>
        <translation>Bir daldan ayrılırken</translation>
    </message>
    <message>
        <source>Automatic: as the two switches below say. The command “Navigate to the selected entry…” always asks.</source>
        <translation>Otomatik: aşağıdaki iki anahtarın dediği gibi. “Seçili kayda git…” komutu her zaman sorar.</translation>
    </message>
    <message>
        <source>Ask how to go</source>
        <translation>Nasıl gidileceğini sor</translation>
    </message>
    <message>
        <source>Just go there</source>
        <translation>Yalnızca git</translation>
    </message>
    <message>
        <source>Summarise, then go</source>
        <translation>Özetle, sonra git</translation>
    </message>
    <message>
        <source>Ask for a summary when a branch is left</source>
        <translation>Daldan ayrılırken özeti sor</translation>
    </message>
    <message>
        <source>Off: going somewhere does not ask. Counts while the answer above is automatic.</source>
        <translation>Kapalı: gidilirken sorulmaz. Yukarıdaki yanıt otomatikken geçerlidir.</translation>
    </message>
    <message>
        <source>Pi: never ask</source>
        <translation>Pi: hiç sorma</translation>
    </message>
    <message>
        <source>Pi&apos;s own switch for the question above.</source>
        <translation>Pi’nin yukarıdaki soru için kendi anahtarı.</translation>
    </message>
    <message>
        <source>Reserve for the summary</source>
        <translation>Özet için yedek pay</translation>
    </message>
    <message>
        <source>Kept free of the summariser&apos;s window; older entries that do not fit are left out.</source>
        <translation>Özetleyicinin penceresinde boş bırakılır; sığmayan eski kayıtlar dışarıda kalır.</translation>
    </message>
    <message>
        <source>Your instructions replace the built-in ones</source>
        <translation>Yönergeleriniz yerleşiklerin yerine geçer</translation>
    </message>
    <message>
        <source>Off: they are added to them.</source>
        <translation>Kapalı: onlara eklenir.</translation>
    </message>
    <message>
        <source>Prune old tool outputs before compacting</source>
        <translation>Sıkıştırmadan önce eski araç çıktılarını buda</translation>
    </message>
    <message>
        <source>Rewrites the file; the original is kept as a backup.</source>
        <translation>Dosyayı yeniden yazar; özgünü yedek olarak saklanır.</translation>
    </message>
    <message>
        <source>Newest tool outputs that stay</source>
        <translation>Kalan en yeni araç çıktıları</translation>
    </message>
    <message>
        <source>Counted back from the leaf.</source>
        <translation>Uçtan geriye doğru sayılır.</translation>
    </message>
    <message>
        <source>Least savings</source>
        <translation>En az kazanç</translation>
    </message>
    <message>
        <source>Less than this is not worth a rewrite.</source>
        <translation>Bundan azı yeniden yazmaya değmez.</translation>
    </message>
    <message>
        <source>Tools whose outputs always stay</source>
        <translation>Çıktıları hep kalan araçlar</translation>
    </message>
    <message>
        <source>One name a line.</source>
        <translation>Her satıra bir ad.</translation>
    </message>
    <message>
        <source>Try again after passing failures</source>
        <translation>Geçici hatalardan sonra yeniden dene</translation>
    </message>
    <message>
        <source>Too many requests, an overloaded server, a broken connection. Escape ends the wait.</source>
        <translation>Çok fazla istek, aşırı yüklü sunucu, kopan bağlantı. Esc beklemeyi bitirir.</translation>
    </message>
    <message>
        <source>Most retries</source>
        <translation>En çok yeniden deneme</translation>
    </message>
    <message>
        <source>First wait</source>
        <translation>İlk bekleme</translation>
    </message>
    <message>
        <source>Doubles with each retry.</source>
        <translation>Her yeniden denemede ikiye katlanır.</translation>
    </message>
    <message>
        <source>Longest wait</source>
        <translation>En uzun bekleme</translation>
    </message>
    <message>
        <source>An upper bound of one wait.</source>
        <translation>Tek bir beklemenin üst sınırı.</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>Protokol</translation>
    </message>
    <message>
        <source>How the server is talked to.</source>
        <translation>Sunucuyla nasıl konuşulduğu.</translation>
    </message>
    <message>
        <source>Chat completions (OpenAI&apos;s)</source>
        <translation>Chat completions (OpenAI)</translation>
    </message>
    <message>
        <source>Messages (Anthropic&apos;s)</source>
        <translation>Messages (Anthropic)</translation>
    </message>
    <message>
        <source>Gemini (Google&apos;s)</source>
        <translation>Gemini (Google)</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adres</translation>
    </message>
    <message>
        <source>Where requests are sent, and only there.</source>
        <translation>İsteklerin gönderildiği tek yer.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Model</translation>
    </message>
    <message>
        <source>Its id, as the provider writes it. The list is the server&apos;s own.</source>
        <translation>Sağlayıcının yazdığı biçimiyle kimliği. Liste sunucunun kendisinindir.</translation>
    </message>
    <message>
        <source>Context window</source>
        <translation>Bağlam penceresi</translation>
    </message>
    <message>
        <source>A larger request is refused before it is sent.</source>
        <translation>Daha büyük bir istek gönderilmeden reddedilir.</translation>
    </message>
    <message>
        <source>Output limit</source>
        <translation>Çıktı sınırı</translation>
    </message>
    <message>
        <source>The longest answer that the model can give.</source>
        <translation>Modelin verebileceği en uzun yanıt.</translation>
    </message>
    <message>
        <source>Environment variable with the key</source>
        <translation>Anahtarı içeren ortam değişkeni</translation>
    </message>
    <message>
        <source>Empty: the provider&apos;s usual one, else the system keyring.</source>
        <translation>Boş: sağlayıcının alışılmış değişkeni, yoksa sistemin anahtarlığı.</translation>
    </message>
    <message>
        <source>Hosts reached without encryption</source>
        <translation>Şifresiz bağlanılan sunucular</translation>
    </message>
    <message>
        <source>One host:port a line. Anybody on the way can read what is sent there.</source>
        <translation>Her satıra bir sunucu:port. Oraya gönderileni yoldaki herkes okuyabilir.</translation>
    </message>
    <message>
        <source>When a file does not tell its agent</source>
        <translation>Dosya hangi ajanın olduğunu söylemiyorsa</translation>
    </message>
    <message>
        <source>Also for new sessions.</source>
        <translation>Yeni oturumlar için de geçerli.</translation>
    </message>
    <message>
        <source>Further folders with sessions</source>
        <translation>Oturum içeren başka klasörler</translation>
    </message>
    <message>
        <source>Besides the folders of both agents. One a line.</source>
        <translation>İki ajanın klasörlerinin yanında. Her satıra bir tane.</translation>
    </message>
    <message>
        <source>Pi&apos;s session folder</source>
        <translation>Pi’nin oturum klasörü</translation>
    </message>
    <message>
        <source>Where Pi keeps its sessions, if not in its usual place.</source>
        <translation>Alışılmış yerinde değilse Pi’nin oturumlarını sakladığı yer.</translation>
    </message>
    <message>
        <source>Filter of the tree at the start</source>
        <translation>Açılışta ağacın süzgeci</translation>
    </message>
    <message>
        <source>Until you choose another one in the window.</source>
        <translation>Pencerede başka birini seçene kadar.</translation>
    </message>
    <message>
        <source>Default: no settings, no labels</source>
        <translation>Varsayılan: ayarlar ve etiketler yok</translation>
    </message>
    <message>
        <source>No tools</source>
        <translation>Araçsız</translation>
    </message>
    <message>
        <source>User messages only</source>
        <translation>Yalnızca kullanıcı iletileri</translation>
    </message>
    <message>
        <source>Labelled only</source>
        <translation>Yalnızca etiketliler</translation>
    </message>
    <message>
        <source>All entries</source>
        <translation>Tüm kayıtlar</translation>
    </message>
    <message>
        <source>Model roles of OMP</source>
        <translation>OMP’nin model rolleri</translation>
    </message>
    <message>
        <source>Which provider/model OMP uses for what; candidates for automatic compaction.</source>
        <translation>OMP’nin hangi sağlayıcı/modeli ne için kullandığı; otomatik sıkıştırmanın adayları.</translation>
    </message>
    <message>
        <source>Further extensions</source>
        <translation>Başka uzantılar</translation>
    </message>
    <message>
        <source>Files or module names, one a line. They are loaded at the next start.</source>
        <translation>Dosya ya da modül adları, her satıra bir tane. Bir sonraki açılışta yüklenir.</translation>
    </message>
</context>
<context>
    <name>span</name>
    <message>
        <source>{0} d {1} h</source>
        <translation>{0} g {1} sa</translation>
    </message>
    <message>
        <source>{0} h {1} min</source>
        <translation>{0} sa {1} dk</translation>
    </message>
    <message>
        <source>{0} min</source>
        <translation>{0} dk</translation>
    </message>
    <message>
        <source>{0} s</source>
        <translation>{0} sn</translation>
    </message>
</context>
</TS>
