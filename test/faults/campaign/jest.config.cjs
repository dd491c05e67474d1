const { projects } = require('../../../jest.config.cjs');

/** `npm run faults`: what takes minutes and is no part of `npm test`. */
module.exports = {
  ...projects.find(({ displayName }) => displayName === 'system'),
  displayName: 'faults',
  testMatch: ['<rootDir>/test/faults/campaign/campaign.ts'],
};
