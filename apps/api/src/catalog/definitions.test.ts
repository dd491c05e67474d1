import { type AgentDefinition, DEFAULT_RUN_LIMITS } from '@countersign/agent-core';
import { DefinitionCatalog } from './definitions.js';

function setUp() {
  const state = { reads: 0, fails: false };
  const catalog = new DefinitionCatalog({
    currentVersions: async () => ({ catalogRevision: 1, agentVersion: 1, toolVersions: {} }),
    load: async (_tenant, name, version) => {
      state.reads += 1;
      if (state.fails) throw new Error('the database is away');
      return version > 100_000 ? null : { agent: agent(name, version), tools: new Map() };
    },
  });
  return { state, catalog };
}

function agent(name: string, version: number): AgentDefinition {
  return {
    name,
    version,
    instructions: 'Help.',
    models: [],
    tools: [],
    toolChoice: 'auto',
    limits: DEFAULT_RUN_LIMITS,
    perRunUsd: null,
    policy: [],
  };
}

describe('the catalog of definitions', () => {
  test('reads a version once, whatever the order in which its tools are named', async () => {
    const { state, catalog } = setUp();
    await catalog.load('ten_1', 'a', 1, { x: 1, y: 2 });
    await catalog.load('ten_1', 'a', 1, { y: 2, x: 1 });
    expect(state.reads).toBe(1);
  });

  test('never gives one tenant what it read for another', async () => {
    const { state, catalog } = setUp();
    await catalog.load('ten_1', 'a', 1, {});
    await catalog.load('ten_2', 'a', 1, {});
    expect(state.reads).toBe(2);
  });

  test('remembers neither a failure nor an absence', async () => {
    const { state, catalog } = setUp();
    state.fails = true;
    await expect(catalog.load('ten_1', 'a', 1, {})).rejects.toThrow('away');
    state.fails = false;
    expect(await catalog.load('ten_1', 'a', 1, {})).not.toBeNull();
    expect(await catalog.load('ten_1', 'a', 100_001, {})).toBeNull();
    expect(await catalog.load('ten_1', 'a', 100_001, {})).toBeNull();
    expect(state.reads).toBe(4);
  });

  test('keeps the 500 that were used last', async () => {
    const { state, catalog } = setUp();
    for (let version = 1; version <= 500; version += 1) await catalog.load('ten_1', 'a', version, {});
    await catalog.load('ten_1', 'a', 1, {});
    await catalog.load('ten_1', 'a', 501, {});
    await catalog.load('ten_1', 'a', 1, {});
    expect(state.reads).toBe(501);
    await catalog.load('ten_1', 'a', 2, {});
    expect(state.reads).toBe(502);
  });
});
