/**
 * List prices in US dollars per million tokens. Written by tools/built-in-prices.mjs on 2026-11-29 from
 * @pydantic/genai-prices 0.1.8 (MIT, Copyright Pydantic Services Inc.): do not edit.
 *
 * A line: provider, model, valid from, context window, most output tokens, then the rates of input, cached input,
 * cache writes and output; behind `>n` the same rates for requests of more than n input tokens. `-`: not known.
 */
export const BUILT_IN_VERSION = 'builtin:genai-prices-0.1.8';

export const BUILT_IN_PRICES = `
openai gpt-3.5-turbo - 16385 4096 0.5 - - 1.5
openai gpt-4 - 8192 8192 30 - - 60
openai gpt-4-turbo - 128000 4096 10 - - 30
openai gpt-4.1 - 1000000 32768 2 0.5 - 8
openai gpt-4.1-mini - 1000000 32768 0.4 0.1 - 1.6
openai gpt-4.1-nano - 1000000 32768 0.1 0.025 - 0.4
openai gpt-4o - 128000 16384 2.5 1.25 - 10
openai gpt-4o-2024-05-13 - 128000 4096 5 - - 15
openai gpt-4o-mini - 128000 16384 0.15 0.075 - 0.6
openai gpt-5 - 400000 128000 1.25 0.125 - 10
openai gpt-5-mini - 400000 128000 0.25 0.025 - 2
openai gpt-5-nano - 400000 128000 0.05 0.005 - 0.4
openai gpt-5-pro - 400000 - 15 - - 120
openai gpt-5.1 - 400000 128000 1.25 0.125 - 10
openai gpt-5.1-codex-mini - 400000 - 0.25 0.025 - 2
openai gpt-5.2 - 400000 128000 1.75 0.175 - 14
openai gpt-5.2-pro - 400000 - 21 - - 168
openai gpt-5.3 - 128000 - 1.75 0.175 - 14
openai gpt-5.3-codex - 400000 - 1.75 0.175 - 14
openai gpt-5.4 - 1050000 - 2.5 0.25 - 15 >271999 5 0.5 - 22.5
openai gpt-5.4-mini - 400000 - 0.75 0.075 - 4.5
openai gpt-5.4-nano - 400000 - 0.2 0.02 - 1.25
openai gpt-5.4-pro - 1050000 - 30 - - 180 >271999 60 - - 270
openai gpt-5.5 - 1000000 - 5 0.5 - 30 >271999 10 1 - 45
openai gpt-5.5-pro - 1000000 - 30 - - 180 >271999 60 - - 270
openai gpt-5.6-luna - 1050000 - 1 0.1 1.25 6 >271999 2 0.2 2.5 9
openai gpt-5.6-luna 2026-07-30 1050000 - 0.2 0.02 0.25 1.2 >271999 0.4 0.04 0.5 1.8
openai gpt-5.6-sol - 1050000 - 5 0.5 6.25 30 >271999 10 1 12.5 45
openai gpt-5.6-sol 2026-08-21 1050000 - 4 0.4 5 20 >271999 8 0.8 10 30
openai gpt-5.6-terra - 1050000 - 2.5 0.25 3.125 15 >271999 5 0.5 6.25 22.5
openai gpt-5.6-terra 2026-07-30 1050000 - 2 0.2 2.5 12 >271999 4 0.4 5 18
openai gpt-6-astra - 1050000 - 10 1 12.5 50 >271999 20 2 25 75
openai gpt-6-luna - 1050000 - 0.1 0.01 0.125 0.5 >272000 0.2 0.02 0.25 0.75
openai gpt-6-sol - 1050000 - 2 0.2 2.5 10 >272000 4 0.4 5 15
openai o1 - 200000 100000 15 7.5 - 60
openai o1-mini - 128000 - 1.1 0.55 - 4.4
openai o1-pro - 200000 - 150 - - 600
openai o3 - 200000 100000 10 0.5 - 40
openai o3 2025-06-10 200000 100000 2 0.5 - 8
openai o3-mini - 200000 100000 1.1 0.55 - 4.4
openai o3-pro - 200000 - 20 - - 80
openai o4-mini - 200000 100000 1.1 0.275 - 4.4
anthropic claude-3-5-haiku-latest - 200000 8192 0.8 0.08 1 4
anthropic claude-3-5-sonnet - 200000 8192 3 0.3 3.75 15
anthropic claude-3-7-sonnet-latest - 200000 64000 3 0.3 3.75 15
anthropic claude-3-haiku - 200000 4096 0.25 0.03 0.3 1.25
anthropic claude-3-opus-latest - 200000 - 15 1.5 18.75 75
anthropic claude-3-sonnet - 200000 - 3 0.3 3.75 15
anthropic claude-fable-5 - 1000000 - 10 1 12.5 50
anthropic claude-fable-5-1 - 1000000 - 10 0.25 12.5 50
anthropic claude-haiku-4-5 - 200000 64000 1 0.1 1.25 5
anthropic claude-opus-4-0 - 200000 32000 15 1.5 18.75 75
anthropic claude-opus-4-1 - 200000 32000 15 1.5 18.75 75
anthropic claude-opus-4-5 - 200000 64000 5 0.5 6.25 25
anthropic claude-opus-4-6 - 1000000 - 5 0.5 6.25 25 >200000 10 1 12.5 37.5
anthropic claude-opus-4-6 2026-03-13 1000000 - 5 0.5 6.25 25
anthropic claude-opus-4-7 - 1000000 - 5 0.5 6.25 25
anthropic claude-opus-4-8 - 1000000 - 5 0.5 6.25 25
anthropic claude-opus-5 - 1000000 - 5 0.5 6.25 25
anthropic claude-opus-5-5 - 1000000 - 4 0.2 5 20
anthropic claude-sonnet-4-0 - 200000 64000 3 0.3 3.75 15
anthropic claude-sonnet-4-5 - 200000 64000 3 0.3 3.75 15 >200000 6 0.6 7.5 22.5
anthropic claude-sonnet-4-6 - 1000000 - 3 0.3 3.75 15 >200000 6 0.6 7.5 22.5
anthropic claude-sonnet-4-6 2026-03-13 1000000 - 3 0.3 3.75 15
anthropic claude-sonnet-5 - 1000000 - 2 0.2 2.5 10
google gemini-2.0-flash - 1000000 8192 0.1 0.025 - 0.4
google gemini-2.0-flash-lite - 1000000 8192 0.075 - - 0.3
google gemini-2.5-flash - 1048576 65536 0.3 0.03 - 2.5
google gemini-2.5-flash-lite - 1000000 65536 0.1 0.01 - 0.4
google gemini-2.5-flash-preview - - - 0.15 - - 0.6
google gemini-2.5-pro - - 65536 1.25 0.125 - 10 >200000 2.5 0.25 - 15
google gemini-3-flash-preview - 1000000 - 0.5 0.05 - 3
google gemini-3-pro-preview - - - 2 0.2 - 12 >200000 4 0.4 - 18
google gemini-3.1-flash-lite - 1000000 - 0.25 0.025 - 1.5
google gemini-3.1-pro-preview - - - 2 0.2 - 12 >200000 4 0.4 - 18
google gemini-3.5-flash - 1000000 - 1.5 0.15 - 9
google gemini-3.5-flash-lite - 1000000 - 0.3 0.03 - 2.5
google gemini-3.6-flash - 1000000 - 0.75 0.075 - 3.75
google gemini-3.6-flash 2027-01-01 1000000 - 1.5 0.15 - 7.5
google gemini-3.7-flash - 1000000 - 0.75 0.075 - 3.75
google gemini-3.7-flash 2027-01-01 1000000 - 1.5 0.15 - 7.5
google gemini-3.8-flash - 1000000 - 0.75 0.075 - 3.75
google gemini-3.8-flash 2027-01-01 1000000 - 1.5 0.15 - 7.5
`;
