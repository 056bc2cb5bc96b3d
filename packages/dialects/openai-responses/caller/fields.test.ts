import { findsSecondReadings } from '../../testing/second-readings.ts'
import { anyRequest } from '../testing/any-request.ts'
import { responsesNames } from './fields.ts'

findsSecondReadings(
  responsesNames,
  [
    ['a second bound', '{"max_output_tokens":5,"maxOutputTokens":6}', 'maxOutputTokens'],
    ['a role', '{"input":[{"role":"user","Role":"x"}]}', 'input[0].Role'],
    ['a part', '{"input":[{"content":[{"type":"input_text","texT":"x"}]}]}', 'input[0].content[0].texT'],
    ['what a tool gave', '{"input":[{"output":[{"fileId":"x"}]}]}', 'input[0].output[0].fileId'],
    ['arguments', '{"input":[{"arguments":"a","arguments":"b"}]}', 'input[0].arguments'],
    ['instructions', '{"instructions":"a","Instructions":"b"}', 'Instructions'],
    ['a tool', '{"tools":[{"name":"a","Name":"b"}]}', 'tools[0].Name'],
    ['a nested tool', '{"tools":[{"tools":[{"name":"a","Name":"b"}]}]}', 'tools[0].tools[0].Name'],
    [
      'where a shell runs',
      '{"tools":[{"environment":{"type":"a","type":"b"}}]}',
      'tools[0].environment.type',
    ],
    ['an earlier answer', '{"previousResponseId":"x"}', 'previousResponseId'],
    ['an effort', '{"reasoning":{"Effort":"low"}}', 'reasoning.Effort'],
  ],
  anyRequest,
)
