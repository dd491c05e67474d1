import Link from 'next/link';
import { Button } from '../kit/button';
import { Empty } from '../kit/notice';

export default function NotFound() {
  return (
    <main className="flex min-h-dvh items-center">
      <Empty
        title="There is no such page"
        actions={
          <Button asChild>
            <Link href="/">Go to the desk</Link>
          </Button>
        }
      >
        The link may be older than the page that it led to.
      </Empty>
    </main>
  );
}
