use lyceum::http::{CustomPages, Page};

/// The school's own consent page. All others stay.
#[derive(Debug)]
pub struct OfTheSchool;

impl CustomPages for OfTheSchool {
    fn html(&self, page: &Page) -> Option<String> {
        if page.name() != "authorize/consent" {
            return None;
        }
        // Names chosen by users are inserted as text, never as markup.
        let text = |pointer: &str| Some(escaped(page.content().pointer(pointer)?.as_str()?));
        let mut asked = String::new();
        for scope in page.content()["scopes"].as_array()? {
            asked.push_str(&format!("<li>{}", escaped(scope["description"].as_str()?)));
        }
        Some(format!(
            "<!doctype html><html lang=\"{}\"><meta charset=\"utf-8\"><title>{service}</title><link rel=\"stylesheet\" href=\"/school.css\">\
             <h1>{service}</h1><p>{}</p><ul>{asked}</ul><form method=\"post\" action=\"{}/consent\">\
             <input type=\"hidden\" name=\"form_token\" value=\"{}\"><button name=\"decision\" value=\"allow\">Yes</button>\
             <button name=\"decision\" value=\"deny\">No</button></form></html>",
            page.language(),
            text("/account")?,
            text("/layout/root")?,
            text("/layout/form_token")?,
            service = text("/service_name")?,
        ))
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
