import type { ReactNode } from 'react';
import { Frame } from '../../frame/frame';

export default function DeskLayout({ children }: { children: ReactNode }) {
  return <Frame>{children}</Frame>;
}
