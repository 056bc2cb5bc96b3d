import type { GatewayLog } from '@turnpike/gateway'
import { upstreamClientOf } from '../build-gateway.ts'
import { loadConfiguration } from '../configuration/load.ts'
import { formatMistake } from '../configuration/mistakes/mistake.ts'
import { openCredentials } from '../credentials/open-credentials.ts'
import { formatFindings, type Finding } from './finding.ts'
import { examineClock, examineDisk, examineNode, examineOpenFiles } from './machine.ts'
import { examineAddress, examineDatabase, examineIssuer, examinePayments, examineRedis } from './services.ts'
import { examineProvider } from './vendors.ts'

/**
 * `turnpike-gateway doctor`: checks everything that the configured gateway needs, and prints what is wrong
 * and what to do about it. It only reads, and causes no costs at vendors.
 * @returns the exit code: 1 if something is wrong
 */
export async function runDoctor(
  options: Parameters<typeof loadConfiguration>[0],
  print: (text: string) => void,
): Promise<number> {
  const loaded = loadConfiguration(options)
  if (loaded.configuration === undefined) {
    for (const mistake of loaded.mistakes) print(`${formatMistake(loaded.file, mistake)}\n`)
    return 1
  }
  const { configuration } = loaded
  const findings: Finding[] = [
    examineNode(),
    ...examineOpenFiles(),
    examineDisk(configuration.dataDir),
    ...configuration.warnings.map((says): Finding => ({ of: 'Configuration', state: 'warning', says })),
  ]
  const vendors = configuration.providers.filter(({ style }) => style !== 'sandbox')
  const client = upstreamClientOf(configuration)
  const credentials = openCredentials(vendors, silent)
  const [address, database, redis, issuer, payments, ...examined] = await Promise.all([
    examineAddress(configuration, client),
    examineDatabase(configuration),
    examineRedis(configuration),
    examineIssuer(configuration, client),
    examinePayments(configuration),
    ...vendors.flatMap((provider) =>
      (provider.regions ?? [provider]).map((region) =>
        examineProvider(region, client, credentials.byProvider.get(provider.name) ?? []),
      ),
    ),
  ])
  credentials.close()
  await client.close()
  const clocks = [issuer, ...examined].flatMap((one) => one.clocks)
  findings.push(examineClock(clocks), address, database, ...redis, ...issuer.findings, ...payments)
  for (const one of examined) findings.push(...one.findings)
  if (vendors.length === 0) findings.push(withoutVendors)
  print(formatFindings(findings))
  const wrong = findings.filter(({ state }) => state === 'wrong').length
  print(
    wrong === 0 ? '\nNo problems found.\n' : `\n${wrong === 1 ? '1 problem' : `${wrong} problems`} found.\n`,
  )
  return wrong === 0 ? 0 : 1
}

/** The findings contain what it would log. */
const silent: GatewayLog = { warn: () => undefined, error: () => undefined }

const withoutVendors: Finding = {
  of: 'Vendors',
  state: 'warning',
  says: 'none, so only the sandbox works; set a key in the environment, or in providers of turnpike.yaml',
}
