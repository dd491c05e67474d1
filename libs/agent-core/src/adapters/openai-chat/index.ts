export { createOpenAiChatAdapter } from './client.js';
