/** OpenAI refuses a function whose parameters have one of these at the top level. */
export const REFUSED_AT_THE_TOP = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];
