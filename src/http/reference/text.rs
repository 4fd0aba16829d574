//! Markup of descriptions: paragraphs, lists and code.

/// A paragraph, or a list if its lines start with an asterisk.
pub(super) struct Block {
    pub(super) is_list: bool,
    pub(super) lines: Vec<Vec<TextRun>>,
}

/// Part of a line.
pub(super) struct TextRun {
    pub(super) is_code: bool,
    pub(super) text: String,
}

/// Splits a text into blocks at empty lines.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    text.split("\n\n")
        .filter(|block| !block.is_empty())
        .map(block)
        .collect()
}

fn block(text: &str) -> Block {
    let is_list = text.starts_with("* ");
    let lines = if is_list {
        text.lines()
            .map(|line| runs(line.trim_start_matches("* ")))
            .collect()
    } else {
        vec![runs(text)]
    };
    Block { is_list, lines }
}

/// Splits a line at backticks; the text between two of them is code.
pub(super) fn runs(line: &str) -> Vec<TextRun> {
    let parts = line.split('`').enumerate().map(|(at, text)| TextRun {
        is_code: at % 2 == 1,
        text: text.replace('\n', " "),
    });
    parts.filter(|run| !run.text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_paragraphs_lists_and_code() {
        let blocks = blocks("One `two`\nthree.\n\n* `a`: b\n* c");
        assert_eq!(
            (blocks.len(), blocks[0].is_list, blocks[1].is_list),
            (2, false, true)
        );
        let runs: Vec<_> = blocks[0].lines[0]
            .iter()
            .map(|run| (run.is_code, &*run.text))
            .collect();
        assert_eq!(runs, [(false, "One "), (true, "two"), (false, " three.")]);
        assert_eq!(blocks[1].lines.len(), 2);
    }
}
