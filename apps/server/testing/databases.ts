/** The engines that a suite runs on; `create` makes an empty database, `url` is absent for the embedded one. */
export interface TestDatabase {
  engine: 'SQLite' | 'PostgreSQL'
  create: () => Promise<{ url: string | undefined; drop: () => Promise<void> }>
}

export function databases(): TestDatabase[] {
  return [
    { engine: 'SQLite', create: () => Promise.resolve({ url: undefined, drop: () => Promise.resolve() }) },
  ]
}
