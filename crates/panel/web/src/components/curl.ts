/** A request as people paste it into a terminal. */
export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root of the service: `/api/v1/contacts`. */
  path: string;
  body?: unknown;
  /** What opens it: a key's text, or the name of the variable that has it. */
  credential?: string;
  /** The workspace, for who asks with an access token. */
  workspace?: string;
}

/** Single quotes, as a POSIX shell takes them literally. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The `curl` that makes a call. A credential that begins with `$` is left to the shell. */
export function curl(call: Call, origin: string = window.location.origin): string {
  const method = call.method ?? 'GET';
  const credential = call.credential ?? '$TIDINGS_KEY';
  const authorization = `Authorization: Bearer ${credential}`;
  const lines = [
    `curl${method === 'GET' || (method === 'POST' && call.body !== undefined) ? '' : ` -X ${method}`} ${quoted(origin + call.path)}`,
  ];
  lines.push(`-H ${credential.startsWith('$') ? `"${authorization}"` : quoted(authorization)}`);
  if (call.workspace) lines.push(`-H ${quoted(`X-Workspace-Id: ${call.workspace}`)}`);
  if (call.body !== undefined) {
    lines.push("-H 'Content-Type: application/json'");
    lines.push(`-d ${quoted(JSON.stringify(call.body))}`);
  }
  return lines.join(' \\\n  ');
}
