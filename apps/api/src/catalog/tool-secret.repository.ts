import { callFunction, type Database } from '../platform/database.js';
import type { SealedToolSecrets } from '../tools/tool-secrets.js';

/** The sealed secrets of tools. They are opened where a call goes out. */
export class ToolSecretRepository {
  constructor(private readonly database: Database) {}

  /** Of one version, deleted or not: what was begun with it may have to be settled. Null: none. @throws DatabaseError */
  async find(tenant: string, tool: string, version: number): Promise<SealedToolSecrets | null> {
    const text = await callFunction<string | null>(this.database, 'tool_secrets_of', {
      tenant,
      tool,
      version,
    });
    return text === null ? null : (JSON.parse(text) as SealedToolSecrets);
  }
}
