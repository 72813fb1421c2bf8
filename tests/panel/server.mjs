// Starts the program with an empty database, and a small API client.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MASTER_KEY = 'c2l4dGVlbiBieXRlcyBhbmQgc2l4dGVlbiBtb3JlISE=';

/** A server with its own database. The first start creates a workspace, an owner and a key. */
export class Server {
  static async start(settings = {}) {
    const server = new Server();
    server.settings = settings;
    server.folder = mkdtempSync(join(tmpdir(), 'tidings-panel-'));
    await server.serve();
    return server;
  }

  /** Starts the program. A second start uses the same database and address. */
  async serve() {
    const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TIDINGS')));
    const address = this.origin ? new URL(this.origin).host : '127.0.0.1:0';
    // An empty PostgreSQL database instead of SQLite, for one test file at a time.
    const { TEST_PANEL_STORAGE: url } = process.env;
    const storage = url ? { TIDINGS__STORAGE__URL: url, TIDINGS__SECRETS__MASTER_KEY: MASTER_KEY } : {};
    // All browsers share one IP address and have no stored session, so the limits are raised.
    const limits = { TIDINGS__LIMITS__PAGES: '1000000', TIDINGS__AUTH__ATTEMPTS_PER_MINUTE: '600' };
    const env = { ...kept, ...storage, ...limits, ...this.settings, TIDINGS__HTTP__ADDRESS: address, TIDINGS__LOG__LEVEL: 'info' };
    this.process = spawn(process.env.TEST_TIDINGS, ['serve', '--json'], { cwd: this.folder, env });
    this.log = this.log ?? '';
    this.process.stderr.on('data', (text) => {
      this.log += text;
    });
    const first = await new Promise((resolve, reject) => {
      createInterface({ input: this.process.stdout }).once('line', resolve);
      this.process.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${this.log}`)));
    });
    const started = JSON.parse(first);
    this.origin = started.address;
    this.made ??= started;
  }

  /** Kills the program. */
  async kill() {
    const ended = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGKILL');
    await ended;
  }

  async stop() {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Sends a request with a key or token. Returns the status, headers and body. */
  async call(method, path, { body, token, workspace } = {}) {
    const headers = { 'Content-Type': 'application/json' };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (workspace) headers['X-Workspace-Id'] = workspace;
    const answer = await fetch(this.origin + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) };
  }

  /** Sends a request and returns the body. Throws if it failed. */
  async done(method, path, options) {
    const answer = await this.call(method, path, options);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

/** Sends a message to the inbound URL of an `http` channel, with the signature of its provider. */
export function inbound(server, { secret, inbound_path: path }, message) {
  const body = JSON.stringify({ ...message, timestamp: new Date().toISOString() });
  const at = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${message.id}.${at}.${body}`).digest('base64');
  const headers = { 'webhook-id': message.id, 'webhook-timestamp': `${at}`, 'webhook-signature': `v1,${signature}` };
  return fetch(server.origin + path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body });
}

/** Polls until the function returns a truthy value, and throws after a timeout. */
export async function until(what, yes, seconds = 10) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await yes();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise((on) => setTimeout(on, 50));
  }
}
