import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

const merge = extendTailwindMerge({
  extend: {
    theme: { text: ['11', '12', '13', '14', '16', '20'], radius: ['4', '6', '8', '12', 'full'] },
  },
});

/** Class names, the later ones winning over the earlier ones that say the same. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
