import { z } from 'zod';
import { instant, page, pageQuery } from './shared.js';

/**
 * One message of the conversation as the model saw it. `calls` are an assistant's; `toolCallId`, `callId`, `tool` and
 * `isError` belong to the result of a call.
 */
export const message = z
  .strictObject({
    id: z.string(),
    turn: z.number().int().meta({ description: '0 for the input, then the number of the reply.' }),
    role: z.enum(['user', 'assistant', 'tool']),
    content: z.string(),
    calls: z
      .array(
        z.strictObject({
          callId: z.string(),
          tool: z.string(),
          arguments: z.string().meta({ description: 'The text as the model wrote it; it may not be JSON.' }),
        }),
      )
      .optional(),
    toolCallId: z.string().optional(),
    callId: z.string().optional(),
    tool: z.string().optional(),
    isError: z.boolean().optional(),
    createdAt: instant,
  })
  .meta({ id: 'Message' });
export type Message = z.output<typeof message>;

export const messagePage = page(message).meta({ id: 'MessagePage' });
export const messageListQuery = z.strictObject({ ...pageQuery });
