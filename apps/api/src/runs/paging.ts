/** A place in a list that is ordered by turn, and within a turn by position. */
export const PLACE = /^[0-9]{1,9}:[0-9]{1,9}$/;
/** A place in a list that is ordered by time, in milliseconds. */
export const MODEL_CALL_PLACE = /^[0-9]{1,13}:mdl_[0-9a-z]{26}$/;
