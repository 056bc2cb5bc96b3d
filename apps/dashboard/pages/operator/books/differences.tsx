import { Alert, List, Stack, Text } from '@mantine/core'
import type { Schemas } from '../../../api/client.ts'
import { ForeignText } from '../../../components/foreign-text.tsx'
import { PageLink } from '../../../components/page-link.tsx'
import { countOf, wholeNumber } from '../../../format/number.ts'

type Difference = Schemas['LedgerDifference']

/** More would not help a person. */
const mostShown = 50

/** The differences that a verification found, with links to what they are about. */
export function Differences({ differences, at }: { differences: Difference[]; at: string }) {
  return (
    <Alert
      color="red"
      variant="light"
      title={`${countOf(differences.length, 'difference')}, ${at}`}
      w="100%"
      role="alert"
    >
      <List spacing="sm" size="sm" listStyleType="none">
        {differences.slice(0, mostShown).map((difference) => (
          <List.Item key={difference.subject}>
            <Stack gap={2}>
              <Text size="sm" fw={600}>
                <ForeignText text={difference.meaning} lines={3} />
              </Text>
              <Text size="sm">{difference.remedy.replaceAll('`', '')}</Text>
              <Text size="xs" c="dimmed" component="div">
                <ForeignText
                  text={`${difference.subject}: expected ${difference.expected}, found ${difference.found}`}
                  lines={3}
                />{' '}
                <Way subject={difference.subject} />
              </Text>
            </Stack>
          </List.Item>
        ))}
      </List>
      {differences.length > mostShown && (
        <Text size="sm" mt="sm">
          And {wholeNumber(differences.length - mostShown)} more, available through the API.
        </Text>
      )}
    </Alert>
  )
}

/** Links to the request or the account in question. */
function Way({ subject }: { subject: string }) {
  const [, request] = /\b(req_[0-9a-hjkmnp-tv-z]{26})\b/.exec(subject) ?? []
  if (request !== undefined)
    return (
      <PageLink
        to="/operator/requests/$requestId"
        params={{ requestId: request }}
        size="xs"
        underline="always"
      >
        The request
      </PageLink>
    )
  const [, account] = /\b(acct_[0-9a-hjkmnp-tv-z]{26})\b/.exec(subject) ?? []
  if (account !== undefined)
    return (
      <PageLink
        to="/operator/accounts/$accountId"
        params={{ accountId: account }}
        size="xs"
        underline="always"
      >
        The account
      </PageLink>
    )
  const [, key] = /\b(key_[0-9a-hjkmnp-tv-z]{26})\b/.exec(subject) ?? []
  if (key === undefined) return null
  return (
    <PageLink to="/operator" search={{ show: 'accounts', q: key }} size="xs" underline="always">
      The key’s account
    </PageLink>
  )
}
