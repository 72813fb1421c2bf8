/** A request for a `curl` command. */
export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path from the root of the server: `/api/v1/contacts`. */
  path: string;
  body?: unknown;
  /** The API key, or a `$` with the name of the variable that contains it. */
  credential?: string;
  /** The ID of the workspace, for requests with an access token. */
  workspace?: string;
}

/** Quotes a text for a POSIX shell, which does not expand single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The `curl` command for a request. The shell expands a credential that begins with `$`. */
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
