import type { Configuration } from '../configuration.ts'
import { defaults } from '../defaults.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

const usualPorts = { starttls: 587, implicit: 465, none: 587 } as const

/** How events reach accounts and operators. */
export function resolveNotify(input: ConfigurationInput): Pick<Configuration, 'mail' | 'webhooks'> {
  return { mail: resolveMail(input.mail), webhooks: resolveWebhooks(input.webhooks) }
}

function resolveMail(input: ConfigurationInput['mail']): Configuration['mail'] {
  if (input === undefined) return null
  const { host, user, password, tls = defaults.mail.smtp.tls, port = usualPorts[tls] } = input.smtp
  return {
    host,
    port,
    tls,
    login: user === undefined ? null : { user, password: password ?? '' },
    from: { name: input.from_name ?? defaults.mail.from_name, address: input.from },
  }
}

function resolveWebhooks(input: ConfigurationInput['webhooks']): Configuration['webhooks'] {
  return {
    allowedNetworks: input?.allowed_networks ?? [],
    encryptionKeys: (input?.encryption_keys ?? []).map((key) => Buffer.from(key, 'base64')),
  }
}
