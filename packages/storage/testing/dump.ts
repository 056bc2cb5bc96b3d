import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

/** Everything that somebody with the files of a directory can read, as latin1. */
export function filesIn(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

/** Every row of every table of a PostgreSQL database, as text. */
export async function rowsAt(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      'select table_name as name from information_schema.tables where table_schema = current_schema()',
    )
    const parts: string[] = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query(`select whole::text as row from "${name}" as whole`)
      parts.push(name, JSON.stringify(rows))
    }
    return parts.join('\n')
  } finally {
    await client.end()
  }
}
