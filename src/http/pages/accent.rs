//! The colour of a school, with the contrast that its pages need.

use std::str::FromStr;

use crate::domain::InvalidValue;

/// Contrast of text (WCAG 2.2, 1.4.3).
const MIN_CONTRAST: f64 = 4.5;
const WHITE: Colour = Colour([255, 255, 255]);
/// Text on light colours, as `--on-brand-dark` in colours.css.
const INK: Colour = Colour([10, 16, 32]);
/// `--card` of colours.css in the dark scheme.
const DARK_CARD: Colour = Colour([22, 26, 33]);
/// Shares of the accent in `--accent-ground` of colours.css.
const LIGHT_TINT: f64 = 0.09;
const DARK_TINT: f64 = 0.14;

/// A colour for links and main buttons, in the light and the dark scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accent {
    light: Colour,
    dark: Colour,
}

impl Accent {
    /// The colours of a mark in either scheme, and of the letter on it.
    pub(super) fn ground_and_ink(&self) -> (String, String) {
        (self.light.hex(), self.light.ink().hex())
    }

    /// The same of the colour in colours.css.
    pub(super) fn standard() -> (String, String) {
        ("#1f5fe0".to_owned(), WHITE.hex())
    }

    /// The properties that take the place of those in colours.css.
    pub(super) fn css(&self) -> String {
        let Self { light, dark } = self;
        format!(
            "\n:root{{--brand:{};--on-brand:{};--brand-dark:{};--on-brand-dark:{}}}\n",
            light.hex(),
            light.ink().hex(),
            dark.hex(),
            dark.ink().hex()
        )
    }
}

impl FromStr for Accent {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let light: Colour = text.parse()?;
        if !light.is_legible_on(WHITE, LIGHT_TINT) {
            return Err(InvalidValue::new(
                "must be darker: its contrast on white, and on a tint of itself, must be 4.5:1",
            ));
        }
        let dark = (0..=20)
            .map(|step| light.mix(WHITE, f64::from(step) / 20.0))
            .find(|tint| tint.is_legible_on(DARK_CARD, DARK_TINT))
            .unwrap_or(WHITE);
        Ok(Self { light, dark })
    }
}

/// An sRGB colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Colour([u8; 3]);

impl Colour {
    fn hex(self) -> String {
        let [red, green, blue] = self.0;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// This colour with a share of another one, as `color-mix(in srgb, …)`.
    fn mix(self, other: Self, share: f64) -> Self {
        let mut mixed = self.0;
        for (own, other) in mixed.iter_mut().zip(other.0) {
            let value = f64::from(*own).mul_add(1.0 - share, f64::from(other) * share);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a mean of two bytes is a byte"
            )]
            let rounded = value.round() as u8;
            *own = rounded;
        }
        Self(mixed)
    }

    /// Relative luminance (WCAG 2.2).
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|value| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126f64.mul_add(red, 0.7152f64.mul_add(green, 0.0722 * blue))
    }

    fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// Whether text of this colour can be read on a ground, and on the ground with a share of the
    /// colour itself.
    fn is_legible_on(self, ground: Self, tint: f64) -> bool {
        self.contrast(ground) >= MIN_CONTRAST
            && self.contrast(ground.mix(self, tint)) >= MIN_CONTRAST
    }

    /// The colour of text on this one.
    fn ink(self) -> Self {
        if self.contrast(WHITE) >= MIN_CONTRAST {
            WHITE
        } else {
            INK
        }
    }
}

impl FromStr for Colour {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let malformed =
            || InvalidValue::new("must be # and six hexadecimal digits such as #0b6b4f");
        let digits = text.strip_prefix('#').ok_or_else(malformed)?;
        if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(malformed());
        }
        let value = u32::from_str_radix(digits, 16).map_err(|_| malformed())?;
        let [_, red, green, blue] = value.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if pages could show text that cannot be read, in either scheme.
    #[test]
    fn every_accepted_colour_is_legible_in_both_schemes() {
        let mut accepted = 0;
        for red in (0..=255u8).step_by(17) {
            for green in (0..=255u8).step_by(17) {
                for blue in (0..=255u8).step_by(17) {
                    let text = Colour([red, green, blue]).hex();
                    let Ok(Accent { light, dark }) = text.parse() else {
                        continue;
                    };
                    accepted += 1;
                    assert!(light.is_legible_on(WHITE, LIGHT_TINT), "{text}");
                    assert!(dark.is_legible_on(DARK_CARD, DARK_TINT), "{text}");
                    for colour in [light, dark] {
                        assert!(colour.ink().contrast(colour) >= MIN_CONTRAST, "{text}");
                    }
                }
            }
        }
        assert!(accepted > 1_000, "{accepted}");
    }

    #[test]
    fn a_light_or_malformed_colour_is_refused() {
        for text in [
            "#ffffff", "#ffd400", "0b6b4f", "#0b6b4", "#0b6b4g", "blue", "#+b6b4f",
        ] {
            assert!(text.parse::<Accent>().is_err(), "{text}");
        }
    }

    /// Fails if colours.css and the checks differ.
    #[test]
    fn the_grounds_are_those_of_the_stylesheet() {
        let styles = include_str!("../../../templates/styles/colours.css");
        for token in [
            format!("--card: {}", DARK_CARD.hex()),
            format!("--card: {}", WHITE.hex()),
            format!("--brand: {}", Accent::standard().0),
            "var(--accent) 9%, var(--card)".to_owned(),
            "var(--accent) 14%, var(--card)".to_owned(),
        ] {
            assert!(styles.contains(&token), "{token}");
        }
    }
}
