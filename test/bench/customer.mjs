import { Agent, request } from 'node:http';

/** One tenant as the load sees it. @typedef {{ id: string, key: string }} Tenant */

/** How a round reads: the worker computes it, or a tool is called over HTTP. @typedef {'computed' | 'http'} Read */

const TOOLS = { computed: 'echo', http: 'search' };

const ARGUMENTS = { status: 'refunded', since: '2026-10-01', limit: 20 };

/** The customers' side: makes tenants, posts runs and waits for them. */
export class Customer {
  #agent = new Agent({ keepAlive: true, maxSockets: 1_000 });

  /** @param {string} url of the API @param {string} adminKey @param {string} toolUrl of the tool that is called over HTTP */
  constructor(url, adminKey, toolUrl) {
    this.url = new URL(url);
    this.adminKey = adminKey;
    this.toolUrl = toolUrl;
  }

  /**
   * A tenant with a tool that echoes, one that is called, and an agent whose model plays the script that it is sent.
   *
   * @param {string} slug @returns {Promise<Tenant>}
   */
  async makeTenant(slug) {
    const ceilings = { requestsPerSecond: 1_000_000, maxConcurrentRuns: 10_000 };
    const made = await this.#send(this.adminKey, 'POST', '/admin/v1/tenants', {
      slug,
      name: slug,
      ...ceilings,
    });
    const key = made.apiKey;
    const tool = {
      description: 'Search orders',
      parameters: {
        type: 'object',
        properties: {
          status: { type: 'string' },
          since: { type: 'string', format: 'date' },
          limit: { type: 'integer', minimum: 1, maximum: 100 },
        },
        required: ['status', 'since'],
      },
      effect: 'read',
      // Equal reads are answered from the record otherwise.
      fresh: true,
    };
    const builtin = { type: 'builtin', handler: 'echo' };
    const http = { type: 'http', url: this.toolUrl };
    await this.#send(key, 'POST', '/v1/tools', { ...tool, name: TOOLS.computed, executor: builtin });
    await this.#send(key, 'POST', '/v1/tools', { ...tool, name: TOOLS.http, executor: http });
    await this.#send(key, 'POST', '/v1/agents', {
      name: 'bench',
      instructions: 'Answer the question about orders.',
      model: { provider: 'scripted', model: 'inline' },
      tools: Object.values(TOOLS),
      limits: { maxTurns: 200, maxToolCalls: 1_000, deadlineSeconds: 3_600 },
    });
    return { id: made.tenant.id, key };
  }

  /**
   * Posts a run of so many rounds, each one model call and one read, and a last model call; waits for its end.
   *
   * @param {Tenant} tenant @param {number} rounds @param {Read} read
   * @returns {Promise<string>} the run's id
   * @throws {Error} where it does not complete
   */
  async run({ key }, rounds, read = 'computed') {
    const script = {
      turns: [
        { calls: [{ tool: TOOLS[read], arguments: ARGUMENTS }], repeat: rounds },
        { text: 'Two were refunded.' },
      ],
    };
    const posted = await this.#send(key, 'POST', '/v1/runs', {
      agent: 'bench',
      input: JSON.stringify(script),
    });
    for (;;) {
      const run = await this.#send(key, 'GET', `/v1/runs/${posted.id}?wait=60`);
      if (run.status === 'completed') {
        return run.id;
      }
      if (run.status !== 'queued' && run.status !== 'running') {
        throw new Error(`a run did not complete: ${JSON.stringify(run)}`);
      }
    }
  }

  close() {
    this.#agent.destroy();
  }

  /**
   * @param {string} key @param {string} method @param {string} path @param {object} [body]
   * @returns {Promise<any>} the parsed answer
   */
  #send(key, method, path, body) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${key}`,
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.url), { agent: this.#agent, method, headers }, (response) => {
        /** @type {Buffer[]} */
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.once('error', reject);
        response.once('end', () => {
          const answer = Buffer.concat(parts).toString();
          if ((response.statusCode ?? 0) >= 300) {
            reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`));
          } else {
            resolve(JSON.parse(answer));
          }
        });
      });
      sent.once('error', reject);
      sent.end(text);
    });
  }
}
