import { pageRequest, toPage } from './page.js';

const rows = ['e', 'd', 'c', 'b', 'a'];
const PLACE = /^[a-e]$/;
const read = (tenant: string, query: { limit?: number; after?: string }) => {
  const request = pageRequest(tenant, query, PLACE);
  const found = rows.filter((row) => request.after === null || row < request.after).slice(0, request.rows);
  return toPage(
    tenant,
    request,
    found,
    (row) => row,
    (row) => row.toUpperCase(),
  );
};

describe('a list', () => {
  test('is read page by page, without gap or repeat, to its end', () => {
    const first = read('ten_1', { limit: 2 });
    expect(first.data).toEqual(['E', 'D']);
    const second = read('ten_1', { limit: 2, after: first.nextCursor ?? '' });
    expect(second.data).toEqual(['C', 'B']);
    const third = read('ten_1', { limit: 2, after: second.nextCursor ?? '' });
    expect(third).toEqual({ data: ['A'], nextCursor: null });
  });

  test('whose last page is full has no cursor', () => {
    expect(read('ten_1', { limit: 5 }).nextCursor).toBeNull();
  });

  test('takes no cursor of another tenant, and none that was made up', () => {
    const cursor = read('ten_1', { limit: 2 }).nextCursor ?? '';
    for (const after of [cursor, 'nonsense', '', `${cursor}=`]) {
      expect(() => pageRequest('ten_2', { after }, PLACE)).toThrow(
        expect.objectContaining({ code: 'invalid_content' }),
      );
    }
  });
});
