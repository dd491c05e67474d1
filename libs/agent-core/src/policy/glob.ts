/**
 * True where a glob covers a name: `*` stands for any run of characters, also none; everything else for itself. The
 * parts between stars are looked for once, from left to right, so no glob takes longer than name times glob.
 */
export function globCovers(glob: string, name: string): boolean {
  const [first = '', ...others] = glob.split('*');
  const last = others.pop();
  if (last === undefined) return glob === name;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}
