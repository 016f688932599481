package dev.lockstep.benchmarks.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.benchmarks.inventory.PlotLine.Point;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class PlotTest {
    @Test
    void eachStepOfAScaleMultiplies() {
        LogScale scale = LogScale.around(List.of(3.0, 40.0, 900.0), 0, 300);
        assertThat(scale.min()).isEqualTo(1);
        assertThat(scale.max()).isEqualTo(1_000);
        assertThat(scale.at(10)).isCloseTo(100, within(1e-6));
        assertThat(scale.at(1_000)).isCloseTo(300, within(1e-6));
        assertThat(scale.ticks()).containsExactly(1.0, 10.0, 100.0, 1_000.0);
    }

    @Test
    void aShortScaleHasTicksBetweenThePowersOfTen() {
        assertThat(LogScale.around(List.of(10.0, 10.0), 0, 1).ticks()).containsExactly(10.0, 20.0, 50.0, 100.0);
        assertThatThrownBy(() -> new LogScale(0, 1, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPanelIsXmlWithALineForEachWay() throws Exception {
        List<PlotLine> lines = List.of(
                new PlotLine(LineStyle.DOT, List.of(new Point(1, 20), new Point(8, 200))),
                new PlotLine(LineStyle.RING, List.of(new Point(1, 30), new Point(8, 3_000))));
        Document svg = parse("<svg>" + new PlotPanel("p99 < 1 s & more", 70, lines).svg() + "</svg>");
        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
        assertThat(svg.getElementsByTagName("path").getLength()).isEqualTo(4);
        assertThat(svg.getDocumentElement().getTextContent()).contains("p99 < 1 s & more", "10,000", "clients");
    }

    @Test
    void statementsAreToldApartByWhatTheyDo() {
        assertThat(StatementTimes.kind("SELECT sku\nFROM inventory_location\nWHERE sku = ? FOR UPDATE"))
                .isEqualTo("SELECT inventory_location FOR UPDATE");
        assertThat(StatementTimes.kind("INSERT INTO inventory_transaction (sku) SELECT sku FROM inventory_location"))
                .isEqualTo("INSERT inventory_transaction");
    }

    private static Document parse(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }
}
