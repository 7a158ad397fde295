"""Model endpoints: one file a provider, each turning a request into a streamed reply over HTTP."""
