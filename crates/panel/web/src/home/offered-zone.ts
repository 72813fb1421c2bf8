/** The names of UTC that a browser reports. */
const UTC = ['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT', 'Etc/UCT', 'Etc/Zulu'];

/** The time zone of this browser. `undefined` if it is unknown. */
export function browserZone(): string | undefined {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The time zone that a workspace can use instead of the default, which is UTC. `undefined` if there is none. */
export function offeredZone(current: string, browser: string | undefined): string | undefined {
  return current === 'UTC' && browser && !UTC.includes(browser) ? browser : undefined;
}
