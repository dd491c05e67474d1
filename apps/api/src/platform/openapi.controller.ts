import { Controller, Res } from '@nestjs/common';
import { z } from 'zod';
import { documentationPage } from './documentation-page.js';
import { openApiDocument } from './openapi.js';
import { RawJson, toJson } from './reply.js';
import { Route } from './route.controller.js';
import { allRoutes } from './route.js';
import type { HttpResponse } from './tenant-context.js';

/** The description of every route, for programs and for people. Made once: routes do not change while a process runs. */
@Controller()
export class OpenApiController {
  private document: RawJson | null = null;

  @Route({
    method: 'GET',
    path: '/openapi.json',
    access: 'loopback',
    summary: 'This document: OpenAPI 3.1.',
    ok: z.looseObject({}),
  })
  json(): RawJson {
    this.document ??= new RawJson(toJson(openApiDocument(allRoutes())));
    return this.document;
  }

  @Route({ method: 'GET', path: '/docs', access: 'loopback', summary: 'The same, for people.', ok: null })
  page(@Res() response: HttpResponse): void {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(documentationPage(allRoutes()));
  }
}
