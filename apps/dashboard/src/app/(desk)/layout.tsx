import type { ReactNode } from 'react';
import { SignedCalls } from '../../features/approvals/signed-calls';
import { Frame } from '../../frame/frame';

export default function DeskLayout({ children }: { children: ReactNode }) {
  return (
    <Frame>
      {children}
      <SignedCalls />
    </Frame>
  );
}
