import { Text } from '@mantine/core'
import { ForeignText } from '../../components/foreign-text.tsx'
import { PageLink } from '../../components/page-link.tsx'

interface PersonProps {
  id: string
  name: string | null
  email: string | null
  isVerified: boolean
  isOrganization?: boolean
}

/** An account's owner. The user chose the name; the email address may be verified. */
export function Person({ id, name, email, isVerified, isOrganization = false }: PersonProps) {
  const first = name ?? email ?? id
  return (
    <div style={{ minWidth: 0, maxWidth: 280 }}>
      <PageLink
        to="/operator/accounts/$accountId"
        params={{ accountId: id }}
        fw={600}
        maw="100%"
        display="inline-block"
      >
        <ForeignText text={first} />
      </PageLink>
      {name !== null && (
        <Text size="xs" c="dimmed" component="div">
          {isOrganization ? 'organization' : <ForeignText text={email ?? id} />}
        </Text>
      )}
      {email !== null && !isVerified && (
        <Text size="xs" c="dimmed">
          address not verified
        </Text>
      )}
    </div>
  )
}
