'use client';

import type { Message, ToolCall } from '@countersign/contracts';
import { CornerDownRight, Wrench } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { parseExactly } from '../../../api/exact-json';
import { Button } from '../../../kit/button';
import { cn } from '../../../kit/cn';
import { InertText } from '../../../kit/inert-text';
import { Json } from '../../../kit/json';
import { Skeleton } from '../../../kit/skeleton';
import { useConversation } from '../data/use-approval';
import { useToolCalls } from '../data/use-tool-call';
import { resultWords } from '../wording/result-words';

/** What was said in the run so far, the latest in sight: it is what the request rests on. */
export function Conversation({ runId, className }: { runId: string; className?: string }) {
  const read = useConversation(runId);
  const { messages } = read;
  const { calls } = useToolCalls(runId, messages?.some(({ isError }) => isError) ?? false);
  const statusOf = (id: string | undefined) => calls?.find((call) => call.id === id)?.status;
  const scroller = useRef<HTMLDivElement>(null);
  const count = messages?.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another message moves it to the end
  useEffect(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [count, runId]);
  return (
    <section className={cn('flex min-h-0 flex-col', className)}>
      <h3 className="shrink-0 px-5 pt-4 pb-2 font-medium text-12 text-muted">Conversation</h3>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-5 pb-4">
        {messages !== undefined ? (
          <ol className="flex flex-col gap-3">
            {messages.map((message) => (
              <MessageItem key={message.id} message={message} status={statusOf(message.toolCallId)} />
            ))}
          </ol>
        ) : read.error === null ? (
          <ConversationSkeleton />
        ) : (
          <p className="text-muted">
            {read.error.detail}{' '}
            <Button size="small" onClick={() => void read.refetch()}>
              Try again
            </Button>
          </p>
        )}
      </div>
    </section>
  );
}

const WHO: Readonly<Record<Message['role'], string>> = { user: 'user', assistant: 'agent', tool: 'result' };

interface MessageItemProps {
  message: Message;
  /** Of the call whose result it is. */
  status: ToolCall['status'] | undefined;
}

function MessageItem({ message, status }: MessageItemProps) {
  const { role, content, calls = [], isError = false } = message;
  if (role === 'tool') {
    return (
      <li className="text-12">
        <Folded
          summary={<span className={isError ? 'text-red' : undefined}>{resultWords(message, status)}</span>}
          icon={<CornerDownRight aria-hidden className="size-3.5 shrink-0" />}
        >
          <AsJson text={content} />
        </Folded>
      </li>
    );
  }
  return (
    <li className="grid grid-cols-[40px_minmax(0,1fr)] gap-x-2">
      <span className={cn('text-12 leading-5', role === 'user' ? 'font-medium text-ink' : 'text-faint')}>
        {WHO[role]}
      </span>
      <div className="flex min-w-0 flex-col gap-1.5">
        {content !== '' && <InertText text={content} lines />}
        {calls.map(({ callId, tool: name, arguments: text }) => (
          <Folded
            key={callId}
            summary={<span className="font-mono">{name}</span>}
            icon={<Wrench aria-hidden className="size-3.5 shrink-0" />}
          >
            <AsJson text={text} />
          </Folded>
        ))}
      </div>
    </li>
  );
}

function Folded(props: { summary: ReactNode; icon: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="group text-12 text-muted"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex w-fit list-none items-center gap-1.5 rounded-4 hover:text-ink [&::-webkit-details-marker]:hidden">
        {props.icon}
        {props.summary}
      </summary>
      {open && <div className="mt-1 mb-1 ml-1.5 border-line border-l pl-4 text-ink">{props.children}</div>}
    </details>
  );
}

/** A tool's text as values where it is JSON, else as it is. */
function AsJson({ text }: { text: string }) {
  try {
    return <Json value={parseExactly(text)} open={2} />;
  } catch {
    return <InertText text={text} lines className="font-mono" />;
  }
}

function ConversationSkeleton() {
  return (
    <div role="status" aria-label="Loading the conversation" className="flex flex-col gap-3 pt-1">
      <Skeleton className="w-4/5" />
      <Skeleton className="w-3/5" />
      <Skeleton className="w-2/3" />
      <Skeleton className="w-1/3" />
    </div>
  );
}
