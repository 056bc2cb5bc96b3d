import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { requestLogQuery } from '../../api/log-queries.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { errorMessageIn } from './error-message.ts'

/** What the error said to the caller, where prompts and answers are kept: nothing else has its words. */
export function Told({ request: { id, has_log: isKept } }: { request: Schemas['RequestDetail'] }) {
  const { data } = useQuery({ ...requestLogQuery(id), enabled: isKept })
  const told = errorMessageIn(data?.answer?.body)
  if (told === undefined) return null
  return (
    <Text size="sm" mt={6} component="div">
      Error returned to the caller: <ForeignText text={told} lines={3} />
    </Text>
  )
}
