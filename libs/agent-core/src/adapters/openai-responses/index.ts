export { createOpenAiResponsesAdapter } from './client.js';
