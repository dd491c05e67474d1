import { missingPackages, refuseOldNode } from './install.mjs';

const lock = (packages: Record<string, object>) => ({ packages });

describe('what is missing of an installation', () => {
  test('everything, when nothing was ever installed', () => {
    expect(missingPackages(lock({ '': {}, 'node_modules/a': { version: '1.0.0' } }), undefined)).toEqual([
      'node_modules/a',
    ]);
  });

  test('nothing, when every package is there in its version', () => {
    const wanted = lock({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/@c/b': { link: true } });
    expect(missingPackages(wanted, wanted)).toEqual([]);
  });

  test('a package of another version counts as missing', () => {
    const installed = lock({ 'node_modules/a': { version: '1.0.1' } });
    expect(missingPackages(lock({ 'node_modules/a': { version: '1.0.0' } }), installed)).toEqual([
      'node_modules/a',
    ]);
  });

  test('a workspace that is not linked counts as missing, its own folder does not', () => {
    const wanted = lock({ 'libs/b': { version: '0.1.0' }, 'node_modules/@c/b': { link: true } });
    expect(missingPackages(wanted, lock({}))).toEqual(['node_modules/@c/b']);
  });

  test('packages of other platforms do not count', () => {
    const wanted = lock({ 'node_modules/darwin': { version: '1.0.0', optional: true } });
    expect(missingPackages(wanted, lock({}))).toEqual([]);
  });
});

describe('the oldest Node', () => {
  test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('%s is taken', (version) => {
    expect(() => refuseOldNode(version)).not.toThrow();
  });

  test.each(['18.20.0', '20.18.3'])('%s is refused with what it takes', (version) => {
    expect(() => refuseOldNode(version)).toThrow(`Node is ${version}; Countersign takes 20.19 or newer`);
  });
});
