import type { Metadata } from 'next';
import { SignIn } from '../../features/sign-in/sign-in';

export const metadata: Metadata = { title: 'Sign in' };

export default function Page() {
  return <SignIn demo={process.env.COUNTERSIGN_DEMO === '1'} />;
}
