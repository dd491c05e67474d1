import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { DatabaseError } from './database-error.js';
import { newId } from './ids.js';
import type { Log } from './log.js';
import { notFound, Problem } from './problem.js';
import { toJson } from './reply.js';
import { methodsOf } from './route.js';
import type { HttpRequest, HttpResponse } from './tenant-context.js';

/** The last stop of every error: an RFC 9457 document. What is not a Problem is logged and told to nobody. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<HttpRequest>();
    const response = host.switchToHttp().getResponse<HttpResponse>();
    const requestId = newId('req');
    const problem = problemOf(error, request);
    if (problem.status >= 500) {
      this.log.error(
        { requestId, method: request.method, path: pathOf(request), err: error },
        'request failed',
      );
    }
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const text = toJson(problem.document(requestId));
    response.statusCode = problem.status;
    response.setHeader('content-type', 'application/problem+json; charset=utf-8');
    response.setHeader('content-length', Buffer.byteLength(text));
    for (const [name, value] of Object.entries(problem.parts.headers ?? {})) response.setHeader(name, value);
    response.end(request.method === 'HEAD' ? undefined : text);
  }
}

const pathOf = (request: HttpRequest): string => request.originalUrl.split('?', 1)[0] ?? '/';

function problemOf(error: unknown, request: HttpRequest): Problem {
  if (error instanceof Problem) return error;
  // Nest's word for a path whose percent-encoding is broken; it parses nothing else of a request.
  if (error instanceof HttpException && error.getStatus() === 400) return notFound('route');
  if (error instanceof HttpException && error.getStatus() === 404) return unrouted(request);
  if (error instanceof DatabaseError && (error.kind === 'unreachable' || error.kind === 'busy')) {
    return new Problem('unavailable', 'The database does not answer. Try again.', {
      headers: { 'retry-after': '1' },
    });
  }
  return new Problem(
    'internal',
    'The request could not be answered. The log names the reason by the requestId.',
  );
}

function unrouted(request: HttpRequest): Problem {
  const methods = methodsOf(pathOf(request));
  if (methods.length === 0) return notFound('route');
  const allow = [...new Set(methods)].join(', ');
  return new Problem('method_not_allowed', `This path takes ${allow}.`, { headers: { allow } });
}
