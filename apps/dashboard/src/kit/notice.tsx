import { CircleAlert, Inbox, Lock, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button';
import { cn } from './cn';

interface NoticeProps {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  alert?: boolean;
  className?: string | undefined;
}

function Notice({ icon: Icon, title, children, actions, alert = false, className }: NoticeProps) {
  return (
    <div
      role={alert ? 'alert' : undefined}
      className={cn('mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center', className)}
    >
      <Icon aria-hidden strokeWidth={1.5} className="mb-3 size-5 text-faint" />
      <h2 className="font-medium text-14">{title}</h2>
      {children !== undefined && <div className="mt-1 text-muted">{children}</div>}
      {actions !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}

interface EmptyProps {
  title: string;
  /** What to do so that something comes here. */
  children?: ReactNode;
  actions?: ReactNode;
  icon?: LucideIcon;
  className?: string;
}

/** Nothing is here, and what to do about it. */
export function Empty({ icon = Inbox, ...rest }: EmptyProps) {
  return <Notice icon={icon} {...rest} />;
}

interface ErrorStateProps {
  title: string;
  /** What went wrong, as the API says it. */
  detail: string;
  /** By which the server's log can be searched. */
  requestId?: string | null;
  retry: () => void;
  className?: string;
}

/** Something could not be read. */
export function ErrorState({ title, detail, requestId = null, retry, className }: ErrorStateProps) {
  return (
    <Notice
      alert
      icon={CircleAlert}
      title={title}
      className={className}
      actions={<Button onClick={retry}>Try again</Button>}
    >
      <p>{detail}</p>
      {requestId !== null && <p className="mt-1 font-mono text-12 text-faint">Request {requestId}</p>}
    </Notice>
  );
}

interface NoPermissionProps {
  /** What the person may not do: `see the members`. */
  what: string;
  children?: ReactNode;
}

/** The person's role does not reach this far. */
export function NoPermission({ what, children }: NoPermissionProps) {
  return (
    <Notice icon={Lock} title={`Your role does not let you ${what}`}>
      {children ?? 'An admin of this tenant can change your role.'}
    </Notice>
  );
}
