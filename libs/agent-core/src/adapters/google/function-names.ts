import type { ToolSpecification } from '../../model/conversation.js';

/** Names as Google takes them, and back. */
export interface FunctionNames {
  readonly toWire: (tool: string) => string;
  /** The tool's own name; a name that no tool has stays as it is. */
  readonly toTool: (wireName: string) => string;
}

const LONGEST_NAME = 64;

/**
 * Google refuses names that do not begin with a letter or an underscore, of which ours may be: those get one in front,
 * and a number behind where another tool has that name. A history may hold any name at all, since a model may call
 * what it was never given: such a name becomes one that Google takes (invariant I11).
 */
export function functionNames(tools: readonly ToolSpecification[]): FunctionNames {
  const wire = new Map<string, string>();
  const taken = new Set(tools.map(({ name }) => name).filter((name) => fitting(name) === name));
  for (const { name } of tools) {
    const free = fitting(name) === name ? name : freeName(fitting(name), taken);
    taken.add(free);
    wire.set(name, free);
  }
  const back = new Map([...wire].map(([tool, name]) => [name, tool]));
  return {
    toWire: (tool) => wire.get(tool) ?? fitting(tool),
    toTool: (wireName) => back.get(wireName) ?? wireName,
  };
}

function fitting(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_') || 'unnamed';
  return (/^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`).slice(0, LONGEST_NAME);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) {
    const behind = `_${number}`;
    free = `${name.slice(0, LONGEST_NAME - behind.length)}${behind}`;
  }
  return free;
}
