/** Why a reply cannot be used although it arrived: our own words, for the ledger. */
export class UnusableReply extends Error {}

/** A provider's error that came inside a reply whose HTTP status was fine. */
export class ErrorInReply extends Error {
  constructor(readonly body: unknown) {
    super('the provider reported an error inside its reply');
  }
}
