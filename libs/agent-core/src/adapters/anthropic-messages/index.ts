export { createAnthropicMessagesAdapter } from './client.js';
