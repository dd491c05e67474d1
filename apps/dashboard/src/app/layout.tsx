import type { Metadata } from 'next';
import type { ReactNode } from 'react';

export const metadata: Metadata = {
  title: 'Countersign',
  description: "Runs LLM agents and puts a person's signature on what has consequences.",
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body style={{ fontFamily: 'system-ui, sans-serif', fontSize: 14, margin: 32, lineHeight: 1.5 }}>
        {children}
      </body>
    </html>
  );
}
