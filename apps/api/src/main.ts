import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type ListeningServer, startExampleServer } from '@countersign/examples';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { apiModule } from './api.module.js';
import { APPROVAL_VERBS, type ApprovalVerbs } from './approvals/approval-verbs.js';
import { playDemo } from './demo/play-demo.js';
import { MemberRepository } from './identity/member.repository.js';
import { sayWhoItIsFor } from './platform/answer-headers.js';
import type { Log } from './platform/log.js';
import {
  closeProcess,
  endOnSignal,
  failStart,
  type OpenParts,
  openProcess,
  orPortIsTaken,
} from './platform/open-process.js';
import { installJsonReply } from './platform/reply.js';
import { RunRepository } from './runs/run.repository.js';
import { RUN_VERBS, type RunVerbs } from './runs/run-verbs.js';
import { KeyRepository } from './tenancy/key.repository.js';

/** For Prisma, and what takes long. */
const POOLED = 12;
/** How long requests under way may take after SIGTERM; what is left then (streams) is cut. */
const GRACE_MS = 4_000;
/** Longer than proxies keep theirs, so that they are the ones who close. */
const KEEP_ALIVE_MS = 75_000;

async function start(): Promise<void> {
  const parts = await openProcess('api', POOLED);
  const { environment, log } = parts;
  const examples = environment.demo ? await openExamples(parts) : null;
  const app = await createApplication(parts);
  const listening: Promise<Server> = app.listen(environment.apiPort, environment.host);
  const server = await orPortIsTaken('API_PORT', environment.apiPort, listening);
  const { port } = server.address() as AddressInfo;
  log.info({ url: `http://${environment.host}:${port}` }, 'the API listens');
  const closing = new AbortController();
  if (examples !== null) {
    const verbs = { ...app.get<ApprovalVerbs>(APPROVAL_VERBS), ...app.get<RunVerbs>(RUN_VERBS) };
    const repositories = {
      members: app.get(MemberRepository),
      keys: app.get(KeyRepository),
      runs: app.get(RunRepository),
    };
    void playDemo({ environment, log, verbs, ...repositories }, closing.signal);
  }
  endOnSignal(log, async () => {
    closing.abort();
    await finishRequests(server);
    await app.close();
    await examples?.close();
    await closeProcess(parts);
  });
}

async function createApplication(parts: OpenParts): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(apiModule(parts), {
    bodyParser: false,
    logger: nestLog(parts.log),
    abortOnError: false,
  });
  const express = app.getHttpAdapter().getInstance();
  express.disable('x-powered-by');
  express.disable('etag');
  app.use(sayWhoItIsFor);
  installJsonReply(express.response);
  const server: Server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return app;
}

/** The server that the demo's tools call. A second API on this machine finds the first one's. */
async function openExamples({ environment, log }: OpenParts): Promise<ListeningServer | null> {
  mkdirSync(environment.dataDirectory, { recursive: true, mode: 0o700 });
  try {
    return await startExampleServer(
      environment.demoShopPort,
      path.join(environment.dataDirectory, 'demo-shop.json'),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason }, 'the demo server is not opened here');
    return null;
  }
}

/** Takes no more connections and lets the requests under way finish. */
async function finishRequests(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(cut);
}

/** Nest speaks of its own affairs: only what went wrong is of interest. */
function nestLog(log: Log): LoggerService {
  return {
    log: (message: unknown) => log.debug(String(message)),
    warn: (message: unknown) => log.warn(String(message)),
    error: (message: unknown) => log.error(String(message)),
  };
}

start().catch(failStart);
