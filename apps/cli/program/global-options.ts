/** Options that every command takes. */
export const globalOptions = {
  json: { sign: '--json', description: 'Print one JSON value on stdout, also on failure' },
  fields: { sign: '--fields <names>', description: 'Print only these fields, separated by commas' },
  org: { sign: '--org <organization>', description: 'Act for this organization (name or id)' },
  help: { sign: '-h, --help', description: 'Show help' },
} as const

export const globalFlags = ['--json', '--fields', '--org', '--help']
