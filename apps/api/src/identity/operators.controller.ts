import {
  type Operator,
  type OperatorCreate,
  type OperatorCreated,
  operator,
  operatorCreate,
  operatorCreated,
  type PageQuery,
  page,
  pageQuery,
} from '@countersign/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { idPlace, isId } from '../platform/ids.js';
import { type Page, pageRequest, toPage } from '../platform/page.js';
import { notFound, Problem } from '../platform/problem.js';
import { Body, Params, Query, Route } from '../platform/route.controller.js';
import { newPassword, newUser } from './new-user.js';
import { OperatorRepository } from './operator.repository.js';

const byId = z.object({ id: z.string().refine((value) => isId('usr', value)) });
type ById = z.output<typeof byId>;

/** In cursors, where a list of one tenant names it. */
const OPERATOR = 'operator';

/** `/admin/v1/operators`: people who may use `/admin/v1` when they are signed in. It makes them members of no tenant. */
@Controller()
export class OperatorsController {
  constructor(private readonly operators: OperatorRepository) {}

  @Route({
    method: 'POST',
    path: '/admin/v1/operators',
    access: 'operator',
    summary: 'Makes a person an operator. A password that was made for them is in this answer only.',
    body: operatorCreate,
    ok: operatorCreated,
    status: 201,
    problems: ['already_exists'],
    idempotent: { secrets: ['password'] },
  })
  async create(@Body() body: OperatorCreate): Promise<OperatorCreated> {
    const password = newPassword();
    const added = await this.operators.add(await newUser(body, password));
    if (added === null)
      throw new Problem(
        'already_exists',
        `${body.email} has an account already: an operator begins with one of their own.`,
      );
    return { operator: added.operator, password: added.created ? password : null };
  }

  @Route({
    method: 'GET',
    path: '/admin/v1/operators',
    access: 'operator',
    summary: 'Operators, newest first.',
    query: z.strictObject(pageQuery),
    ok: page(operator),
  })
  async list(@Query() query: PageQuery): Promise<Page<Operator>> {
    const request = pageRequest(OPERATOR, query, idPlace('usr'));
    const rows = await this.operators.list(request);
    return toPage(
      OPERATOR,
      request,
      rows,
      ({ id }) => id,
      (row) => row,
    );
  }

  @Route({
    method: 'DELETE',
    path: '/admin/v1/operators/{id}',
    access: 'operator',
    summary: 'Makes a person an operator no longer.',
    params: byId,
    ok: null,
    status: 204,
  })
  async delete(@Params() { id }: ById): Promise<void> {
    if (!(await this.operators.remove(id))) throw notFound('operator');
  }
}
