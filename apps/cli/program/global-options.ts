/** What every command takes. */
export const globalOptions = {
  json: { sign: '--json', description: 'One JSON value on stdout, failures included' },
  fields: { sign: '--fields <names>', description: 'Only these fields, separated by commas' },
  org: { sign: '--org <organization>', description: 'Act for this organization: its name or id' },
  help: { sign: '-h, --help', description: 'Show help' },
} as const

export const globalFlags = ['--json', '--fields', '--org', '--help']
