import type { Message, ToolCall } from '@countersign/contracts';

/** The result of a call in words: `refund_order failed`. `status` is undefined while the call was not read. */
export function resultWords(
  { tool = 'The call', isError = false }: Pick<Message, 'tool' | 'isError'>,
  status: ToolCall['status'] | undefined,
): string {
  if (!isError) return `result of ${tool}`;
  switch (status) {
    case 'denied':
      return `${tool} was denied`;
    case 'cancelled':
      return `${tool} never ran`;
    case 'unknown':
      return `${tool} may have happened`;
    case 'failed':
      return `${tool} failed`;
    default:
      return `${tool} gave an error`;
  }
}
