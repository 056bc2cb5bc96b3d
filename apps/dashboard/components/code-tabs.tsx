import { Tabs } from '@mantine/core'
import { CodeBlock } from './code-block.tsx'

interface CodeTabsProps<Language extends string> {
  /** What the code does, for screen readers: "Messages". */
  label: string
  /** In the order of the tabs. */
  languages: readonly Language[]
  codeOf: (language: Language) => string
}

/** The same code in several languages. */
export function CodeTabs<Language extends string>({ label, languages, codeOf }: CodeTabsProps<Language>) {
  return (
    <Tabs defaultValue={languages[0] ?? null}>
      <Tabs.List>
        {languages.map((language) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map((language) => (
        <Tabs.Panel key={language} value={language} pt="sm">
          <CodeBlock code={codeOf(language)} label={`${label} in ${language}`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
