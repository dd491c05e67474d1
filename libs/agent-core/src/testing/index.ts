export * from './recorded-server.js';
