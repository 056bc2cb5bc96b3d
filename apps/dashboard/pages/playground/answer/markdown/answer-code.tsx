import { Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { CodeBlock } from '../../../../components/code-block.tsx'

/** The grammars are as large as the page. If they cannot be loaded, code has no colors. */
const Highlighted = lazy(() =>
  import('./highlighted.tsx').catch(() => ({ default: ({ code }: { code: string }) => <>{code}</> })),
)

/** Nobody reads longer code, and highlighting it takes long. */
const maxHighlighted = 30_000

/** A code block of an answer, with its language above it. */
export function AnswerCode({ code, language }: { code: string; language: string }) {
  const name = /^[\w+#.-]{1,30}/.exec(language)?.[0] ?? ''
  const plain = <>{code}</>
  return (
    <div>
      {name !== '' && (
        <Text size="xs" c="dimmed" mb={2}>
          {name}
        </Text>
      )}
      <CodeBlock code={code} label={name === '' ? 'Code' : `Code in ${name}`} isPartOfText>
        {name === '' || code.length > maxHighlighted ? (
          plain
        ) : (
          <Suspense fallback={plain}>
            <Highlighted code={code} language={name} />
          </Suspense>
        )}
      </CodeBlock>
    </div>
  )
}
