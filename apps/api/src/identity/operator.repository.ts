import type { Operator } from '@countersign/contracts';
import { callFunction, type Database } from '../platform/database.js';
import type { PageRequest } from '../platform/page.js';
import type { NewUser } from './new-user.js';

/** Instants are milliseconds. */
interface OperatorJson {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: number;
}

/** The users who may use /admin/v1: through the functions that alone may cross tenants (invariant I8). */
export class OperatorRepository {
  constructor(private readonly database: Database) {}

  /** Newest first; the position is the user's id. @throws DatabaseError */
  async list({ after, rows }: PageRequest): Promise<readonly Operator[]> {
    const text = await callFunction<string>(this.database, 'operator_list_operators', {
      limit: rows,
      before: after,
    });
    return (JSON.parse(text) as readonly OperatorJson[]).map(operatorOf);
  }

  /**
   * Makes an operator with an account of their own.
   * @returns null where the address has an account: its password may be known to whoever made it.
   * @throws DatabaseError
   */
  async add(user: NewUser): Promise<{ readonly operator: Operator; readonly created: boolean } | null> {
    const given = JSON.stringify(user);
    const text = await callFunction<string | null>(this.database, 'operator_add_operator', { user: given });
    if (text === null) return null;
    const { created, ...row } = JSON.parse(text) as OperatorJson & { readonly created: boolean };
    return { operator: operatorOf(row), created };
  }

  /** False where there is no such operator. @throws DatabaseError */
  remove(id: string): Promise<boolean> {
    return callFunction<boolean>(this.database, 'operator_remove_operator', { user: id });
  }
}

function operatorOf(row: OperatorJson): Operator {
  return { ...row, createdAt: new Date(row.createdAt).toISOString() };
}
